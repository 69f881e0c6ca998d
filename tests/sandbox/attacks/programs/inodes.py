from honest import play, refused


def fill():
    for number in range(1_000_000):
        open(f"/tmp/{number:x}", "w").close()


play(lambda: refused("a million empty files", fill))
