import os
import time

from honest import play


def attack():
    os.close(1)
    time.sleep(3600)


play(attack)
