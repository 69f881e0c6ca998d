from honest import answer, play


def both(message):
    answer(message)
    answer(message)


play(answer=both)
