"""The pool of containers that wait at their gates, with containers that are made of nothing."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox.docker.container import Kind
from sandbox.docker.pool import IDLE_BYTES, WarmPool
from sandbox.limits import Limits
from sandbox.runtimes import RUNTIMES

PYTHON = Kind.of(RUNTIMES["python"], Limits(), {})
RUST = Kind.of(RUNTIMES["rust"], Limits(), {})


@dataclass
class Maker:
    """Makes and unmakes containers, and remembers."""

    numbers: Any = field(default_factory=itertools.count)
    made: list[Kind] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    fails: bool = False

    def create(self, kind: Kind) -> Any:
        if self.fails:
            raise OSError("no daemon")
        self.made.append(kind)
        attachment = SimpleNamespace(is_quiet=lambda: True)
        return SimpleNamespace(id=next(self.numbers), attachment=attachment, born=time.monotonic(), kind=kind)

    def discard(self, container: Any) -> None:
        self.gone.append(container.id)


def pool(maker: Maker, *, room: int = 4, expire: float = 60) -> WarmPool:
    return WarmPool(maker.create, maker.discard, memory_bytes=room * IDLE_BYTES, expire_seconds=expire)


def eventually(condition: Any, seconds: float = 5) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_the_first_start_is_cold_and_the_next_is_not() -> None:
    maker = Maker()
    warm = pool(maker)
    assert warm.take(PYTHON) is None
    assert eventually(lambda: warm.idle == 1)
    assert warm.take(PYTHON) is not None
    warm.close()


def test_a_container_is_used_once() -> None:
    maker = Maker()
    warm = pool(maker)
    warm.warm(PYTHON, 2)
    first, second = warm.take(PYTHON), warm.take(PYTHON)
    assert first is not None
    assert second is not None
    assert first.id != second.id
    warm.close()


def test_idle_containers_never_exceed_the_memory_that_they_may_cost() -> None:
    maker = Maker()
    warm = pool(maker, room=3)
    assert warm.warm(PYTHON, 10) == 3
    warm.warm(RUST, 2)
    assert warm.idle <= 3
    warm.close()


def test_when_memory_is_short_the_kind_that_was_wanted_longest_ago_gives_way() -> None:
    maker = Maker()
    warm = pool(maker, room=2)
    warm.warm(PYTHON, 2)
    assert warm.warm(RUST, 2) == 2
    assert len(maker.gone) == 2
    warm.close()


def test_a_pool_without_memory_keeps_none() -> None:
    maker = Maker()
    warm = pool(maker, room=0)
    assert warm.take(PYTHON) is None
    time.sleep(0.05)
    assert (warm.idle, maker.made) == (0, [])
    warm.close()


def test_a_container_that_waited_too_long_is_thrown_away() -> None:
    maker = Maker()
    warm = pool(maker, expire=0.2)
    warm.warm(PYTHON, 1)
    assert eventually(lambda: 0 in maker.gone)
    warm.close()


def test_a_container_that_has_died_at_its_gate_is_not_handed_out() -> None:
    maker = Maker()
    warm = pool(maker)
    warm.warm(PYTHON, 1)
    warm._idle[PYTHON][0].attachment = SimpleNamespace(is_quiet=lambda: False)  # type: ignore[assignment]
    assert warm.take(PYTHON) is None
    assert maker.gone == [0]
    warm.close()


def test_other_limits_or_another_environment_are_another_kind() -> None:
    assert Kind.of(RUNTIMES["python"], Limits(pids=9), {}) != PYTHON
    assert Kind.of(RUNTIMES["python"], Limits(), {"A": "1"}) != PYTHON
    assert Kind.of(RUNTIMES["python"], replace(Limits()), {}) == PYTHON


def test_a_daemon_that_fails_does_not_keep_the_pool_busy() -> None:
    maker = Maker(fails=True)
    warm = pool(maker)
    assert warm.take(PYTHON) is None
    time.sleep(0.1)
    assert warm.take(PYTHON) is None
    warm.close()


def test_closing_throws_every_waiting_container_away() -> None:
    maker = Maker()
    warm = pool(maker)
    warm.warm(PYTHON, 3)
    warm.close()
    assert sorted(maker.gone) == [0, 1, 2]


def test_a_forked_child_does_not_touch_its_parents_containers(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = Maker()
    warm = pool(maker)
    warm.warm(PYTHON, 1)
    monkeypatch.setattr("sandbox.docker.pool.os.getpid", lambda: -1)
    assert warm.take(PYTHON) is None
    assert maker.gone == []
