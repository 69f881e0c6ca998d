import os

from honest import log, play


def attack():
    child = os.fork()
    if child == 0:
        kept = []
        while True:
            kept.append(bytearray(1 << 20))
    _, status = os.waitpid(child, 0)
    log(f"the child ended with {os.waitstatus_to_exitcode(status)}")


play(attack)
