import type { ArrayHint } from '../formula/placed-formulas.ts'
import type { CellInput } from '../formula/values.ts'

/** What a value that was written may not be what was meant for. */
export type Hint = NonNullable<CellInput['hint']> | ArrayHint

/** One sentence, with the cells that it is about. */
export const HINTS: Readonly<Record<Hint, (cells: string) => string>> = {
  'looks-like-formula': cells =>
    `Written as text, not as formulas: ${cells}. To write a formula send {"formula": "SUM(A1:A3)"} as the value, or "formulas": true in the operation.`,
  'looks-like-number': cells =>
    `Written as text although they look like numbers: ${cells}. Send a JSON number to write a number (0.12 for 12%).`,
  'looks-like-date': cells =>
    `Written as text although they look like dates: ${cells}. Send {"date": "2026-01-31"} to write a date.`,
  'looks-like-truth': cells =>
    `Written as text although they look like true or false: ${cells}. Send true or false without quotes to write those.`,
  'fills-cells': cells =>
    `Excel fills the cells below and next to ${cells} when it opens the file, as many as there are values; a filled cell in the way gives #SPILL!. Other programs show only the first value.`,
  'first-value-only': cells =>
    `Written into one cell each, although they give many values: ${cells}. Inside a table or merged cells no formula fills cells, so Excel shows one value; write them elsewhere, or write the values.`,
  'plain-only': cells =>
    `Written as plain formulas, which take one cell of each range they compute over: ${cells}. To compute over whole ranges use SUMPRODUCT, or write them outside merged cells.`,
  'unknown-function': cells =>
    `A function that Excel does not have is called in ${cells}, so it shows #NAME? unless an add-in provides it. Function names are English, such as SUM.`,
  'empty-text': cells =>
    `Written as empty strings, which count as filled: ${cells}. Send null to leave a cell empty.`,
  'loses-digits': cells =>
    `Written as numbers, which keep 15 digits: ${cells}. Send text to keep every digit.`,
}

export function listed(names: readonly string[]): string {
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`
}
