from honest import play, refused


def fill():
    with open("/dev/shm/fill", "wb", buffering=0) as file:
        for _ in range(16):
            file.write(b"x" * (1 << 20))


play(lambda: refused("16 MiB in /dev/shm", fill))
