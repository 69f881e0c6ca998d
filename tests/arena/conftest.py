"""Every arena test has a Valkey server: the cache, the throttles and the broker live there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def _valkey(valkey: str) -> None:
    """Started once for each test process."""


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    """Hashing that is slow on purpose is Django's own, and no matter of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """No test sees another's cache entries or throttle counts."""
    from django.core.cache import cache

    cache.clear()
    return
