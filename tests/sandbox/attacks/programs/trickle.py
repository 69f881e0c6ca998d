import os
import time

from honest import play


def attack():
    while True:
        os.write(1, b" ")
        time.sleep(0.1)


play(attack)
