import os

from honest import play


def attack():
    for _ in range(12):
        if os.fork() == 0:
            while True:
                pass


play(attack)
