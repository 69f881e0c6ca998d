"""Hypothesis without a deadline for each example: the tests share their machine with whole servers."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")
