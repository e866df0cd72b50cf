export type Line = { product: string; pieces: number; price: number }

const VAT_FOOD = 0.07

/** What the customer pays, in cents: rounded once, at the end. */
export function total(lines: Line[]): number {
  const net = lines.reduce((sum, line) => sum + line.pieces * line.price, 0)
  return Math.round(net * (1 + VAT_FOOD) * 100)
}

/** Ten per cent for orders of a hundred pieces or more. */
export function discounted(line: Line): Line {
  return line.pieces >= 100 ? { ...line, price: line.price * 0.9 } : line
}
