from honest import messages, send

for message in messages():
    if message["type"] == "hello":
        send(type="ready")
        send(type="move", turn=1, move="take")
