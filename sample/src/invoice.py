"""Prints an invoice for a list of (product, pieces, price)."""

VAT_FOOD = 0.07


def invoice(lines):
    net = sum(pieces * price for _, pieces, price in lines)
    for product, pieces, price in lines:
        print(f"{product:<28}{pieces:>6} x {price:>8.2f}")
    print(f"{'Total with VAT':<28}{net * (1 + VAT_FOOD):>17.2f}")


if __name__ == "__main__":
    invoice([("Cinnamon bun", 25, 2.40), ("Apple cake", 6, 38.00)])
