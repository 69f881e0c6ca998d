import signal

from honest import play


def attack():
    # Python ignores this signal by itself; most languages do not.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("/tmp/large", "wb") as file:
        file.truncate(1 << 30)


play(attack)
