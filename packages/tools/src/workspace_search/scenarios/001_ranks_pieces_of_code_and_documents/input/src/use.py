def pay(order):
    return CalculateTaxes(order)
