"""Prices in whole cents."""

DISCOUNT_FROM = 10_000
DISCOUNT_PERCENT = 10


def subtotal(lines):
    """Sum (price in cents, quantity) lines."""
    return sum(price * quantity for price, quantity in lines)


def discount(cents):
    """Return what is taken off; orders of 100.00 or more get ten percent."""
    if cents > DISCOUNT_FROM:
        return cents * DISCOUNT_PERCENT // 100
    return 0


def total(lines):
    """Return what the customer pays."""
    cents = subtotal(lines)
    return cents - discount(cents)
