import os

from honest import log, play


def attack():
    # Each grandchild is orphaned at once; an init that does not reap would fill the table.
    for number in range(40):
        try:
            child = os.fork()
        except OSError as error:
            log(f"stopped after {number}: {error}")
            return
        if child == 0:
            try:
                os.fork()
            finally:
                os._exit(0)
        os.waitpid(child, 0)


play(attack)
