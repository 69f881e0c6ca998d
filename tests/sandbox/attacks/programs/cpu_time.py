from honest import send

send(type="ready")
while True:
    pass
