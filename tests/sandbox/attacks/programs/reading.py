import glob
import os

from honest import log, play, refused

HOST = (
    "/root",
    "/home",
    "/srv/arena",
    "/var/lib/postgresql",
    "/run/durak-sandbox",
    "/etc/ssh",
    "/boot/grub",
    "/sys/kernel",
    "/sys/fs/cgroup",
    *(f"/proc/1/{link}/root" for link in ("root", "cwd")),
    "/usr/local/bin",
    "/var/cache/durak-sandbox",
)
FILES = (
    "/etc/shadow",
    "/proc/kcore",
    "/proc/kallsyms",
    "/proc/keys",
    "/proc/timer_list",
    "/proc/sched_debug",
    "/dev/mem",
    "/dev/kmsg",
    "/dev/vda",
    "/dev/sda",
    "/sys/kernel/vmcoreinfo",
    "/proc/1/mem",
    "/proc/self/cgroup/..",
)


def list_folder(path):
    found = os.listdir(path)
    if not found:
        raise OSError("empty")
    return found


def read(path):
    with open(path, "rb") as file:
        text = file.read(4096)
    if not text.strip(b"\0\n "):
        raise OSError("empty")
    return text


def attack():
    for path in HOST:
        refused(f"list {path}", list_folder, path)
    for path in FILES:
        if path == "/etc/shadow" and os.path.exists("/.dockerenv"):
            continue  # the image's own, with no password in it
        refused(f"read {path}", read, path)
    refused("a file that the host just wrote", read, os.environ["HOST_FILE"])
    for path in glob.glob("/proc/[0-9]*"):
        for name in ("environ", "cmdline"):
            try:
                text = read(f"{path}/{name}")
            except OSError:
                continue
            for secret in os.environ["REVERSED_SECRETS"].split(","):
                if secret[::-1].encode() in text:
                    log(f"ESCAPED: a secret in {path}/{name}")
    pids = [int(path.rsplit("/", 1)[1]) for path in glob.glob("/proc/[0-9]*")]
    if len(pids) > 6 or max(pids) > 1000:
        log(f"ESCAPED: foreign processes: {pids}")
    for fd in os.listdir("/proc/self/fd"):
        if int(fd) > 2:
            try:
                log(f"ESCAPED: descriptor {fd} leads to {os.readlink(f'/proc/self/fd/{fd}')}")
            except OSError:
                pass  # the one that listed the folder
    with open("/proc/self/mountinfo") as file:
        for line in file:
            if "DURAK_OTHER_BOT" in line:
                log(f"ESCAPED: {line}")


play(attack)
