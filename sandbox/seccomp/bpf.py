"""The policy as a classic BPF program, the form in which bubblewrap hands it to the kernel.

A program is a list of 8-byte instructions `struct sock_filter {u16 code; u8 jt, jf; u32 k}` that
looks at `struct seccomp_data {int nr; u32 arch; u64 ip; u64 args[6]}`. Consecutive call numbers
with the same answer are one range, and a binary search finds the range: about nine comparisons
for any call.
"""

from __future__ import annotations

import errno
import struct
from dataclasses import dataclass
from typing import Final

from sandbox.seccomp.numbers import HIGHEST_KNOWN, NUMBERS
from sandbox.seccomp.policy import NOT_IMPLEMENTED, Condition, allowed_names, conditional

LOAD: Final = 0x20  # A = data[k]
JUMP: Final = 0x05  # pc += k
JUMP_EQUAL: Final = 0x15  # pc += jt if A == k else jf
JUMP_AT_LEAST: Final = 0x35  # pc += jt if A >= k else jf
AND: Final = 0x54  # A &= k
RETURN: Final = 0x06

OFFSET_NUMBER: Final = 0
OFFSET_ARCHITECTURE: Final = 4
OFFSET_ARGUMENTS: Final = 16

KILL_PROCESS: Final = 0x8000_0000
ALLOW: Final = 0x7FFF_0000
ERRNO: Final = 0x0005_0000

AUDIT_ARCHITECTURE: Final = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
X32_BIT: Final = 0x4000_0000
"""x86_64's second call table; it would be a way round the numbers of the first."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One `struct sock_filter`."""

    code: int
    k: int
    jt: int = 0
    jf: int = 0

    def pack(self) -> bytes:
        """The eight bytes of the kernel's structure."""
        return struct.pack("=HBBI", self.code, self.jt, self.jf, self.k)


Answer = int | tuple[Condition, ...]
"""A seccomp return value, or the conditions under which a call is allowed."""

REFUSE: Final = ERRNO | errno.EPERM
UNKNOWN: Final = ERRNO | errno.ENOSYS


def answers(machine: str, *, locks: bool = False) -> list[Answer]:
    """The answer to each call number from 0; every number beyond is `UNKNOWN`.

    Raises:
        KeyError: the architecture has no table.

    """
    numbers = NUMBERS[machine]
    # A number that the table does not name is a hole, or a call newer than the table.
    table: list[Answer] = [UNKNOWN] * (HIGHEST_KNOWN + 1)
    for number in numbers.values():
        table[number] = REFUSE
    for name in allowed_names(locks=locks):
        if name in numbers:
            table[numbers[name]] = ALLOW
    for name, conditions in conditional(locks=locks).items():
        table[numbers[name]] = conditions
    for name in NOT_IMPLEMENTED:
        table[numbers[name]] = UNKNOWN
    return table


def compile_filter(machine: str, *, locks: bool = False) -> list[Instruction]:
    """The whole program for one architecture; calls of any other are fatal.

    Raises:
        KeyError: the architecture has no table.

    """
    ranges: list[tuple[int, Answer]] = []
    for number, answer in enumerate([*answers(machine, locks=locks), UNKNOWN]):
        if not ranges or ranges[-1][1] != answer:
            ranges.append((number, answer))
    if machine == "x86_64":
        ranges.append((X32_BIT, KILL_PROCESS))
    return [
        Instruction(LOAD, OFFSET_ARCHITECTURE),
        Instruction(JUMP_EQUAL, AUDIT_ARCHITECTURE[machine], jt=1),
        Instruction(RETURN, KILL_PROCESS),
        Instruction(LOAD, OFFSET_NUMBER),
        *_search(ranges),
    ]


def _search(ranges: list[tuple[int, Answer]]) -> list[Instruction]:
    if len(ranges) == 1:
        return _leaf(ranges[0][1])
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    # A conditional jump reaches 255 instructions, an unconditional one any distance.
    return [
        Instruction(JUMP_AT_LEAST, ranges[middle][0], jt=0, jf=1),
        Instruction(JUMP, len(below)),
        *below,
        *above,
    ]


def _leaf(answer: Answer) -> list[Instruction]:
    if isinstance(answer, int):
        return [Instruction(RETURN, answer)]
    program: list[Instruction] = []
    for condition in answer:
        program += [
            Instruction(LOAD, OFFSET_ARGUMENTS + 8 * condition.argument),
            Instruction(AND, condition.mask),
            Instruction(JUMP_EQUAL, condition.value, jt=0, jf=1),
            Instruction(RETURN, ALLOW),
        ]
    return [*program, Instruction(RETURN, REFUSE)]


def filter_bytes(machine: str, *, locks: bool = False) -> bytes:
    """The program as the kernel and `bwrap --seccomp FD` read it.

    Raises:
        KeyError: the architecture has no table.

    """
    return b"".join(instruction.pack() for instruction in compile_filter(machine, locks=locks))
