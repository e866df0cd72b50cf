import { type Fields, isFields, takeField } from '@filewright/protocol'

const OF_STYLE = new Set(['op', 'sheet', 'range', 'style', 'like', 'replace'])

/** Ranges under other names, or as a list. */
function withRanges(given: Fields): Fields {
  const [sent, rest] = takeField(given, ['range', 'ranges', 'cells', 'cell', 'cell_range'])
  if (sent === undefined) return given
  const isList = Array.isArray(sent) && sent.every(own => typeof own === 'string')
  return { range: isList ? sent.join(',') : sent, ...rest }
}

/** Properties of a style that were sent beside the range, or under another name. */
export function meantStyle(given: Fields): Fields {
  const [style, rest] = takeField(withRanges(given), ['style', 'format', 'styles', 'formatting'])
  const [like, others] = takeField(rest, ['like', 'from', 'source', 'copy_from', 'like_range'])
  const left = Object.entries(others).filter(([name]) => !OF_STYLE.has(name))
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => OF_STYLE.has(name)))
  const beside = Object.fromEntries(left)
  const whole =
    left.length === 0 ? style : isFields(style) ? { ...beside, ...style } : (style ?? beside)
  return {
    ...kept,
    ...(whole !== undefined && { style: whole }),
    ...(like !== undefined && { like }),
  }
}

/** `style` under another name, and a rule that was sent as text. */
export function meantConditional(given: Fields): Fields {
  const [style, rest] = takeField(withRanges(given), ['style', 'format', 'formatting'])
  const [rule, others] = takeField(rest, ['rule', 'condition', 'rules'])
  const own = Array.isArray(rule) && rule.length === 1 ? (rule[0] as unknown) : rule
  const { formula, ...left } = others
  const isFormula = own === undefined && typeof formula === 'string'
  return {
    ...(isFormula ? left : others),
    ...(own !== undefined && { rule: own }),
    ...(isFormula && { rule: { formula } }),
    ...(style !== undefined && { style }),
  }
}

/** `{rows: 1, columns: 1}`, `{cell: "B2"}` or a name that says to unfreeze. */
export function meantFreeze(given: Fields): Fields {
  const [at, rest] = takeField(given, ['at', 'cell', 'range', 'top_left', 'pane'])
  const { rows, columns, row, column, ...others } = rest
  if (at !== undefined) return { ...rest, at }
  const [down, right] = [count(rows ?? row), count(columns ?? column)]
  if (down === undefined && right === undefined)
    return /^un/.test(String(given.op)) ? { ...others, at: 'none' } : given
  return { ...others, at: `${letters(right ?? 0)}${(down ?? 0) + 1}` }
}

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}

function letters(columns: number): string {
  let [left, name] = [columns + 1, '']
  for (; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

const OF_PRINT = new Set(['op', 'sheet', 'print'])

/** What belongs into `print` and was sent beside it. */
export function meantPrint(given: Fields): Fields {
  const entries = Object.entries(given)
  const beside = entries.filter(([name]) => !OF_PRINT.has(name))
  if (beside.length === 0) return given
  const own = Object.fromEntries(beside.map(([name, value]) => [PRINT_NAMES[name] ?? name, value]))
  const kept = Object.fromEntries(entries.filter(([name]) => OF_PRINT.has(name)))
  return { ...kept, print: { ...own, ...(isFields(given.print) && given.print) } }
}

const PRINT_NAMES: Readonly<Record<string, string>> = {
  range: 'area',
  print_area: 'area',
  rows: 'title_rows',
  print_titles: 'title_rows',
  paper_size: 'paper',
  fit_to_page: 'fit',
}
