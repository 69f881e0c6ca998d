"""Every arena test has a Valkey server: the cache, the throttles and the broker live there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _valkey(valkey: str) -> None:
    """Started once for each test process."""


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """No test sees another's cache entries or throttle counts."""
    from django.core.cache import cache

    cache.clear()
    return
