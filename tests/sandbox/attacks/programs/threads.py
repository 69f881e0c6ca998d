import threading

from honest import log, play

forever = threading.Event()


def attack():
    for number in range(1000):
        try:
            threading.Thread(target=forever.wait, daemon=True).start()
        except RuntimeError:
            log(f"stopped at {number}")
            if number > 16:
                log(f"ESCAPED: {number} threads")
            return
    log("ESCAPED: 1000 threads")


play(attack)
