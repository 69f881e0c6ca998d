from honest import play

play(lambda: 1 // 0)
