import os
import sys
import time

from honest import answer, play


def leave(message):
    answer(message)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            os.close(0), os.close(1), os.close(2)
            time.sleep(3600)
    os._exit(0)


play(answer=leave)
