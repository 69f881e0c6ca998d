import os
import signal
import time

from honest import play


def attack():
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    if os.fork() == 0:
        os.setsid()
        while True:
            time.sleep(1)


play(attack)
while True:
    time.sleep(1)
