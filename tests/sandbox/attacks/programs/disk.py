import os

from honest import play, refused


def fill(path):
    with open(path, "wb", buffering=0) as file:
        written = 0
        while written < 32 << 20:
            got = file.write(b"x" * (1 << 20))
            written += got
            if got < 1 << 20:
                raise OSError("a short write")
    return written


def attack():
    for folder in (
        "/",
        "/bot",
        "/usr",
        "/usr/lib",
        "/etc",
        "/var",
        "/var/tmp",
        "/run",
        "/home",
        "/root",
        "/opt",
        "/tmp",
        "/dev",
        "/dev/shm",
        "/proc",
        "/sys",
        "/mnt",
    ):
        refused(f"32 MiB in {folder}", fill, f"{folder}/fill")
        try:
            os.unlink(f"{folder}/fill")
        except OSError:
            pass


play(attack)
