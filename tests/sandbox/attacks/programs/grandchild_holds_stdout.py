import os
import time

from honest import answer, play


def leave(message):
    answer(message)
    if os.fork() == 0:
        os.setsid()
        time.sleep(3600)
    os._exit(3)


play(answer=leave)
