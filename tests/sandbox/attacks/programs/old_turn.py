from honest import answer, play


def old(message):
    answer({**message, "turn": message["turn"] - 1})


play(answer=old)
