import { counted } from '@filewright/protocol'
import { attribute, children } from '../../../opc/index.ts'
import { aroundOf, oneAround } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import { columnFormats, frozenOf, type LineFormat, rowFormats } from '../book/line-sizes.ts'
import type { Sheet } from '../book/sheet.ts'
import { columnName, MAX_COLUMN } from '../cell/address.ts'
import { type CellRule, rulesOf } from '../conditional/rule.ts'
import { describeDifference, describeRule, ruleFields } from '../conditional/rule-words.ts'
import { printFields, printWords } from './print-words.ts'
import { listed } from './read.ts'

/** What a person set; margins and paper are in almost every file. */
const WORTH_SAYING = new Set(['area', 'title_rows', 'title_columns', 'fit', 'header', 'footer'])
const RULES_SHOWN = 8
const RULES_TOLD = 100
const RULE_CHARACTERS = 160
const LINES_TOLD = 60
const LINES_SHOWN = 12
const ROWS_READ = 5_000

/** How a sheet is set up beside its cells, for the map and for a comparison: in words and as fields. */
export interface SheetSetup {
  readonly lines: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
}

export function setupOf(book: Book, sheet: Sheet): SheetSetup {
  const styles = book.part.styles()
  const rules = rulesOf(book, sheet)
  const frozen = frozenOf(sheet)
  const filter = filterOf(sheet)
  const print = printFields(book, sheet)
  const { margins: _margins, paper: _paper, ...worthSaying } = print
  const isWorthSaying = Object.keys(print).some(name => WORTH_SAYING.has(name))
  const newer = newerRules(sheet)
  const grouped = [...groupsOf(sheet, 'rows'), ...groupsOf(sheet, 'columns')]
  const lines = [
    rules.length > 0 &&
      `conditional formats: ${rules
        .slice(0, RULES_SHOWN)
        .map((rule, index) => `${index + 1}. ${clip(describeRule(shortly(rule), styles))}`)
        .join('; ')}${rules.length > RULES_SHOWN ? ` and ${rules.length - RULES_SHOWN} more` : ''}`,
    newer > 0 && `${counted(newer, 'conditional format')} of newer programs (kept)`,
    frozen && `frozen: ${counted(frozen.rows, 'row')}, ${counted(frozen.columns, 'column')}`,
    filter && `filter on ${filter}`,
    grouped.length > 0 && `grouped: ${listed(grouped, LINES_SHOWN)}`,
    isWorthSaying && `print: ${clip(printWords(worthSaying))}`,
  ].filter(line => typeof line === 'string')
  return {
    lines,
    fields: {
      conditionalFormats: rules.slice(0, RULES_TOLD).map((rule, index) => ({
        number: index + 1,
        range: rule.ref,
        rule: ruleFields(rule),
        ...(rule.difference !== undefined && {
          style: describeDifference(styles, rule.difference),
        }),
        ...(rule.isLast && { stop: true }),
      })),
      frozen: frozen ?? null,
      autoFilter: filter ?? null,
      groups: grouped.slice(0, LINES_TOLD),
      print,
      widths: sizesOf(columnFormats(sheet, 1, MAX_COLUMN), columnName),
      heights: sizesOf(rowFormats(sheet, 1, ROWS_READ), String),
    },
  }
}

const REF_CHARACTERS = 60

/** A range of many pieces is cut, so that the rule can still be read. */
function shortly(rule: CellRule): CellRule {
  const { ref } = rule
  return ref.length <= REF_CHARACTERS ? rule : { ...rule, ref: `${ref.slice(0, REF_CHARACTERS)}…` }
}

function clip(text: string): string {
  return text.length <= RULE_CHARACTERS ? text : `${text.slice(0, RULE_CHARACTERS)}…`
}

/** `A1:D20`, or with the columns that have criteria. */
function filterOf(sheet: Sheet): string | undefined {
  const own = oneAround(sheet, 'autoFilter')?.root
  return attribute(own, 'ref')
}

/** Rules that only newer programs read are kept in an extension. */
function newerRules(sheet: Sheet): number {
  const [list] = aroundOf(sheet, 'extLst')
  if (!list) return 0
  const own = list.root.children.flatMap(ext => ext.children)
  return own
    .filter(({ local }) => local === 'conditionalFormattings')
    .flatMap(each => children(each, 'conditionalFormatting'))
    .flatMap(each => children(each, 'cfRule'))
    .filter(rule => !['dataBar', 'iconSet'].includes(attribute(rule, 'type') ?? '')).length
}

/** `{"A": 12, "C:E": 20}`: sizes of lines that have one of their own, as `set_column_widths` takes them. */
function sizesOf(
  formats: ReadonlyMap<number, LineFormat>,
  name: (line: number) => string,
): Record<string, number> {
  const runs: { from: number; to: number; size: number }[] = []
  for (const line of [...formats.keys()].sort((a, b) => a - b)) {
    const { size } = formats.get(line)!
    const last = runs.at(-1)
    if (size === undefined) continue
    if (last && last.to === line - 1 && last.size === size) last.to = line
    else runs.push({ from: line, to: line, size })
  }
  return Object.fromEntries(
    runs
      .slice(0, LINES_TOLD)
      .map(({ from, to, size }) => [from === to ? name(from) : `${name(from)}:${name(to)}`, size]),
  )
}

/** `rows 5:9`, `columns C:E (2 levels)`. */
function groupsOf(sheet: Sheet, axis: 'rows' | 'columns'): string[] {
  const formats =
    axis === 'rows' ? rowFormats(sheet, 1, ROWS_READ) : columnFormats(sheet, 1, MAX_COLUMN)
  const name = axis === 'rows' ? String : columnName
  const runs: { from: number; to: number; level: number }[] = []
  for (const line of [...formats.keys()].sort((a, b) => a - b)) {
    const { level } = formats.get(line)!
    if (level === 0) continue
    const last = runs.at(-1)
    if (last && last.to === line - 1 && last.level === level) last.to = line
    else runs.push({ from: line, to: line, level })
  }
  return runs.map(
    ({ from, to, level }) =>
      `${axis} ${name(from)}:${name(to)}${level > 1 ? ` (${level} levels)` : ''}`,
  )
}
