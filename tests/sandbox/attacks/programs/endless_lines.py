import os

from honest import play


def attack():
    piece = (b"x" * 1023 + b"\n") * 1024
    for _ in range(100):
        os.write(1, piece)


play(attack)
