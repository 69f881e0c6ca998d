"""What every attacker is built on: an honest player with a moment to misbehave in."""

import json
import sys


def send(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def log(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def messages():
    for line in sys.stdin:
        yield json.loads(line)


def answer(message):
    send(type="move", turn=message["turn"], **message["legal"][0])


def play(attack=None, answer=answer):
    """Play honestly; `attack` is run once, at the first turn, before it is answered."""
    for message in messages():
        if message["type"] == "hello":
            send(type="ready")
        elif message["type"] == "turn":
            if attack is not None:
                log("attacking")
                attack()
                log("attacked")
                attack = None
            answer(message)
        elif message["type"] == "match_over":
            return


def refused(what, action, *arguments):
    """An attempt must raise an error; if it does not, say so."""
    try:
        result = action(*arguments)
    except Exception as error:
        log(f"refused: {what}: {error}")
    else:
        log(f"ESCAPED: {what}: {result!r:.200}")
