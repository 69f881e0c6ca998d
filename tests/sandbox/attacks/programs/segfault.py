import ctypes

from honest import play

play(lambda: ctypes.string_at(0))
