import os

from honest import play, refused


def write(path, flags=os.O_CREAT):
    fd = os.open(path, os.O_WRONLY | flags, 0o644)
    os.write(fd, b"x")
    return path


def spare_me():
    fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    return os.write(fd, b"-1000")


def attack():
    for folder in (
        "/",
        "/bot",
        "/usr",
        "/usr/lib",
        "/usr/bin",
        "/etc",
        "/dev",
        "/opt",
        "/proc",
        "/sys",
        "/root",
        "/bin",
    ):
        refused(f"write {folder}", write, f"{folder}/new")
    for path in (
        "/bot/bot.py",
        "/bot/honest.py",
        "/etc/passwd",
        "/usr/bin/python3",
        "/bin/sh",
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sysrq-trigger",
    ):
        refused(f"overwrite {path}", write, path, 0)
    refused("be spared when memory is short", spare_me)
    refused("rename its code", os.rename, "/bot/bot.py", "/bot/old.py")
    refused("remove its code", os.unlink, "/bot/bot.py")
    refused("chmod its code", os.chmod, "/bot/bot.py", 0o777)
    refused("chown a file", os.chown, "/bot/bot.py", os.getuid(), os.getgid())
    refused("a device", os.mknod, "/tmp/device", 0o20666, os.makedev(1, 1))


play(attack)
