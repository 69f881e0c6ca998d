import time

from honest import answer, play

late = [1.4]


def slow(message):
    if late:
        time.sleep(late.pop())
    answer(message)


play(answer=slow)
