"""What laws are made of: an act that must fail, acts side by side; and the report of all laws that are broken."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from textwrap import indent
from types import TracebackType
from typing import TypeVar

from mmtools.errors import MmtoolsError

__all__ = ["Caught", "LawsBroken", "fails", "hold", "side_by_side"]

ProblemT = TypeVar("ProblemT", bound=MmtoolsError)


class LawsBroken(AssertionError):
    """All laws that an implementation breaks: the name of each, what it requires, and the counterexample."""


class Caught:
    """A block whose exception is kept; what ends a program goes on."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> None:
        """Wait for it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


def hold(laws: Sequence[partial[None]]) -> None:
    """
    Try all laws, each put to what is under test, the most dangerous first.

    Raises:
        LawsBroken: Some are broken.
        Exception: What was under test raised it, and no law was broken otherwise; noted for which law.
    """
    broken: list[str] = []
    errors: list[Exception] = []
    for law in laws:
        caught = Caught()
        with caught:
            law()
        if caught.error is not None:
            errors.append(caught.error)
            told = str(caught.error) if isinstance(caught.error, AssertionError) else f"raised {caught.error!r}"
            requirement = " ".join((law.func.__doc__ or "").strip().partition("\n\n")[0].split())
            broken.append(f"{law.func.__name__}: {requirement}\n{indent(told, '  ')}")
    if not errors:
        return
    report = "\n".join((f"{len(broken)} broken, the most dangerous first", *broken) if len(broken) > 1 else broken)
    if any(isinstance(error, AssertionError) for error in errors):
        raise LawsBroken(report) from errors[0]
    errors[0].add_note(report)
    raise errors[0]


def fails(kind: type[ProblemT], act: Callable[..., object], *arguments: object, **options: object) -> ProblemT:
    """Call what must end with one kind of problem, and return it."""
    try:
        answer = act(*arguments, **options)
    except kind as problem:
        return problem
    raise AssertionError(f"{kind.__name__} was due, and there was the answer {answer!r:.200}")


def side_by_side(acts: Iterable[Callable[[], object]], *, patience_s: float) -> None:
    """
    Do each act in a thread of its own, all at once, and require that all end well.

    Args:
        patience_s: For each to end; only what hangs meets it.
    """
    failures: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as failure:  # noqa: BLE001 - told to the thread that asked
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience_s)
    assert not failures, f"raised between threads: {failures[0]!r}"
    assert not any(thread.is_alive() for thread in threads), "still waiting for what others only use as well"
