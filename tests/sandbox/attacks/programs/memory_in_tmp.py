import os

from honest import play, refused


def fill():
    for number in range(16):
        with open(f"/tmp/fill{number}", "wb", buffering=0) as file:
            if file.write(b"x" * (1 << 20)) < 1 << 20:
                raise OSError("a short write")


def attack():
    refused("16 MiB in /tmp", fill)
    for name in os.listdir("/tmp"):
        os.unlink(f"/tmp/{name}")


play(attack)
