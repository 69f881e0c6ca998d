from honest import play

play()
