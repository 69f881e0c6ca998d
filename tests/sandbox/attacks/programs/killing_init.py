import os
import signal

from honest import log, play


def attack():
    # Docker's init passes this one on to its child, which is us.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP, signal.SIGSEGV):
        try:
            os.kill(1, number)
        except OSError as error:
            log(f"refused: signal {number}: {error}")
    child = os.fork()
    if child == 0:
        try:
            os.kill(-1, signal.SIGCONT)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


play(attack)
