"""A receipt as text."""

from prices import discount, subtotal, total


def euros(cents):
    """Format cents: 1234 becomes '12.34'."""
    return f"{cents // 100}.{cents % 100:02d}"


def receipt(lines):
    """Return the receipt, one line per amount."""
    rows = [f"{quantity} x {euros(price)}" for price, quantity in lines]
    off = discount(subtotal(lines))
    if off:
        rows.append(f"discount -{euros(off)}")
    rows.append(f"total {euros(total(lines))}")
    return "\n".join(rows)
