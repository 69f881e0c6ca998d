import os

from honest import answer, play


def leave(message):
    answer(message)
    os._exit(7)


play(answer=leave)
