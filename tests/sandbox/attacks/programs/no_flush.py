import io
import json
import sys

from honest import play

buffered = io.BufferedWriter(io.FileIO(1, "w", closefd=False), 1 << 20)


def keep(message):
    buffered.write(json.dumps({"type": "move", "turn": message["turn"], **message["legal"][0]}).encode() + b"\n")


play(answer=keep)
