"""Numbers with their units, as short as they can be read."""

from __future__ import annotations

__all__ = ["count", "data_size", "milliseconds", "share"]

_SIZES = ("B", "kB", "MB", "GB", "TB", "PB")

_MINUTE_MS = 60_000
_HOUR_MS = 60 * _MINUTE_MS


def milliseconds(duration_ms: float) -> str:
    """Write a duration: 0, 0.04 ms, 1.2 ms, 340 ms, 1.2 s, 34 s, 2 min 05 s, 1 h 02 min, 3 d 04 h."""
    if duration_ms <= 0:
        return "0 ms"
    if duration_ms < 0.01:
        return "< 0.01 ms"
    if duration_ms < 999.5:
        return f"{_shortened(duration_ms)} ms"
    if duration_ms < 59_500:
        return f"{_shortened(duration_ms / 1000)} s"
    if duration_ms < 59.5 * _MINUTE_MS:
        minutes, seconds = divmod(round(duration_ms / 1000), 60)
        return f"{minutes} min {seconds:02} s"
    if duration_ms < 47.5 * _HOUR_MS:
        hours, minutes = divmod(round(duration_ms / _MINUTE_MS), 60)
        return f"{hours} h {minutes:02} min"
    days, hours = divmod(round(duration_ms / _HOUR_MS), 24)
    return f"{days:,} d {hours:02} h"


def data_size(size: int) -> str:
    """Write a number of bytes, in steps of 1,000: 812 B, 12.3 kB, 4 MB."""
    amount = float(size)
    for unit in _SIZES[:-1]:
        if amount < 999.5:
            return f"{_shortened(amount)} {unit}"
        amount /= 1000
    return f"{_shortened(amount)} {_SIZES[-1]}"


def count(number: int, noun: str) -> str:
    """Write how many there are: 1 call, 2,000 calls."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def share(part: int, whole: int) -> str:
    """Write a part of a hundred: 4.2 %; some are never 0, and not all never 100."""
    if part == 0 or whole == 0:
        return "0 %"
    percent = 100 * part / whole
    if percent < 0.1:
        return "< 0.1 %"
    if 99.9 < percent < 100:
        return "> 99.9 %"
    return f"{_shortened(percent)} %"


def _shortened(amount: float) -> str:
    """Keep the first digits, and no more decimals than they need."""
    if amount < 0.9995:
        return f"{amount:.2f}".removesuffix("0").removesuffix(".0") or "0"
    if amount < 99.95:
        return f"{amount:.1f}".removesuffix(".0")
    return f"{amount:,.0f}"
