"""Threads that share the rows of a batch.

A call of a kernel on a batch takes a fraction of a millisecond, and waking a sleeping thread a good
part of that. So a thread that has done its rows looks out for the next call for a moment, without
holding Python's lock, before it goes to sleep.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from mages_env.engine.compile import silence_overflow
from mages_env.engine.waiting import raise_and_pause, raise_and_watch, watch


class RowThreads:
    """Runs kernels ``kernel(*args, start, stop)`` over all rows, the caller's thread among them."""

    def __init__(self, rows: int, threads: int) -> None:
        bounds = np.linspace(0, rows, threads + 1).astype(int).tolist()
        self._rows = rows
        self._own, *others = pairwise(bounds)
        self._workers = [_Worker(*part) for part in others]

    def run(self, kernel: Callable, *args: Any) -> None:
        """Returns once all rows are done; an error of any thread is raised."""
        for worker in self._workers:
            worker.begin(kernel, args)
        try:
            kernel(*args, *self._own)
        finally:
            errors = [error for worker in self._workers if (error := worker.end())]
        if errors:
            raise errors[0]

    def close(self) -> None:
        """End the threads; from then on the caller's does all rows."""
        for worker in self._workers:
            worker.begin(None, ())
        self._workers = []
        self._own = (0, self._rows)


class _Worker:
    def __init__(self, start: int, stop: int) -> None:
        self._rows = start, stop
        self._go, self._done = threading.Lock(), threading.Lock()
        self._go.acquire()
        self._done.acquire()
        self._calls = np.zeros(1, np.int64)  # begun
        self._ends = np.zeros(1, np.int64)
        self._call: tuple[Callable | None, tuple] = (None, ())
        self._error: BaseException | None = None
        threading.Thread(target=self._serve, daemon=True, name=f"rows {start} to {stop}").start()

    def begin(self, kernel: Callable | None, args: tuple) -> None:
        self._call = kernel, args
        self._go.release()
        raise_and_pause(self._calls, int(self._calls[0]) + 1)

    def end(self) -> BaseException | None:
        watch(self._ends, int(self._calls[0]))
        try:
            self._done.acquire()
        except KeyboardInterrupt:
            self._done.acquire()  # the rows are to be whole before anybody goes on
            raise
        self._call = None, ()
        return self._error

    def _serve(self) -> None:
        silence_overflow()
        served = 0
        while True:
            raise_and_watch(self._ends, served, self._calls, served + 1)
            self._go.acquire()
            kernel, args = self._call
            if kernel is None:
                return
            try:
                kernel(*args, *self._rows)
                self._error = None
            except BaseException as error:
                self._error = error
            del args
            served += 1
            self._done.release()
