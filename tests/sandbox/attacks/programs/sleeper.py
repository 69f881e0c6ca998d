import time

from honest import play

play(lambda: time.sleep(3600))
