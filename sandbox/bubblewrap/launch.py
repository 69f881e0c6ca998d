"""Starting processes from a thread that lasts.

bwrap's `--die-with-parent` is tied to the *thread* that started it: a sandbox started from a
pool's thread would be killed when that thread ends. Starts from any thread but the main one are
therefore done by one thread that lives as long as the process.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

_lock = threading.Lock()
_starter: tuple[int, queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]]] | None = None


_T = TypeVar("_T")


def from_lasting_thread(action: Callable[[], _T]) -> _T:
    """Run `action` in a thread that lasts as long as the process, and return its result."""
    if threading.current_thread() is threading.main_thread():
        return action()
    future: Future[_T] = Future()
    _queue().put((action, future))
    return future.result()


def _queue() -> queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]]:
    global _starter  # noqa: PLW0603
    with _lock:
        # After a fork the thread is not there any more.
        if _starter is None or _starter[0] != os.getpid():
            tasks: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
            threading.Thread(target=_serve, args=(tasks,), daemon=True, name="sandbox-starter").start()
            _starter = os.getpid(), tasks
        return _starter[1]


def _serve(tasks: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]]) -> None:
    while True:
        action, future = tasks.get()
        try:
            future.set_result(action())
        except BaseException as error:  # noqa: BLE001 - handed to the caller
            future.set_exception(error)
