"""The policy as the JSON profile that Docker's `--security-opt seccomp=` takes."""

from __future__ import annotations

import errno
import json
from typing import Final

from sandbox.seccomp.policy import NOT_IMPLEMENTED, allowed_names, conditional

ARCHITECTURE: Final = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}


def profile(machine: str, *, own_kernel: bool = False, locks: bool = False) -> dict[str, object]:
    """The profile for one architecture; calls of any other are fatal.

    gVisor (`own_kernel`) knows no other refusal than EPERM, at which the C library makes no threads; being
    traced by nobody is answered with ENOSYS.

    Raises:
        KeyError: the architecture has no table.

    """
    rules: list[dict[str, object]] = [
        {"names": list(allowed_names(locks=locks)), "action": "SCMP_ACT_ALLOW", "args": []},
        {
            "names": list(NOT_IMPLEMENTED),
            "args": [],
            **({"action": "SCMP_ACT_TRACE"} if own_kernel else {"action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS}),
        },
    ]
    for name, conditions in conditional(locks=locks).items():
        for condition in conditions:
            # With SCMP_CMP_MASKED_EQ `value` is the mask, and `valueTwo` what must remain.
            comparison = {
                "index": condition.argument,
                "op": "SCMP_CMP_MASKED_EQ",
                "value": condition.mask,
                "valueTwo": condition.value,
            }
            rules.append({"names": [name], "action": "SCMP_ACT_ALLOW", "args": [comparison]})
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "architectures": [ARCHITECTURE[machine]],
        "syscalls": rules,
    }


def profile_text(machine: str, *, own_kernel: bool = False, locks: bool = False) -> str:
    """The profile as compact JSON.

    Raises:
        KeyError: the architecture has no table.

    """
    return json.dumps(profile(machine, own_kernel=own_kernel, locks=locks), separators=(",", ":"))
