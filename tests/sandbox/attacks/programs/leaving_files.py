import os

from honest import log, play

PLACES = ("/tmp", "/dev/shm", "/bot", "/var/tmp", "/run", "/dev/mqueue")


def attack():
    for folder in PLACES:
        path = f"{folder}/left-behind"
        if os.path.exists(path):
            log(f"ESCAPED: found {path} of the match before")
        try:
            with open(path, "w") as file:
                file.write("x")
            log(f"left {path}")
        except OSError:
            pass


play(attack)
