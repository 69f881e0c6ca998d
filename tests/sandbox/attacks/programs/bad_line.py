import os
import sys

from honest import play

LINES = {
    "nul": b"\0\0\0\n",
    "utf8": b'{"type":"move","move":"\xff\xfe"}\n',
    "deep": b"[" * 60000 + b"\n",
    "deep_reply": b'{"type":"move","cards":' + b"[" * 60000 + b"\n",
    "huge_number": b'{"type":"move","turn":' + b"9" * 60000 + b"}\n",
    "not_json": b"a8S\n",
    "list": b"[]\n",
    "no_such_move": b'{"type":"move","turn":TURN,"move":"resign"}\n',
    "illegal": b'{"type":"move","turn":TURN,"move":"attack","cards":["6S","7S","8S","9S","TS","JS"]}\n',
    "not_a_card": b'{"type":"move","turn":TURN,"move":"attack","cards":["ZZ"]}\n',
}


def bad(message):
    os.write(1, LINES[sys.argv[1]].replace(b"TURN", str(message["turn"]).encode()))


play(answer=bad)
