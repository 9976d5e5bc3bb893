import unittest

from prices import discount, total
from receipt import receipt


class ShopTest(unittest.TestCase):
    def test_small_orders_have_no_discount(self):
        self.assertEqual(discount(9_999), 0)

    def test_the_discount_starts_at_one_hundred(self):
        self.assertEqual(discount(10_000), 1_000)

    def test_large_orders_have_a_discount(self):
        self.assertEqual(total([(20_000, 1)]), 18_000)

    def test_the_receipt_shows_the_discount(self):
        self.assertEqual(receipt([(10_000, 1)]), "1 x 100.00\ndiscount -10.00\ntotal 90.00")


if __name__ == "__main__":
    unittest.main()
