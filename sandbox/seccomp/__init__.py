"""The system call filter: one policy table, as a BPF program and as an OCI profile."""

from sandbox.seccomp.bpf import filter_bytes
from sandbox.seccomp.oci import profile_text

__all__ = ["filter_bytes", "profile_text"]
