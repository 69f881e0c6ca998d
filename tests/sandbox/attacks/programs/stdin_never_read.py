import time

from honest import send

send(type="ready")
time.sleep(3600)
