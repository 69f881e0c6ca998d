import os
import signal

from honest import play

play(lambda: os.kill(0, signal.SIGSTOP))
