from honest import play


def attack():
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


play(attack)
