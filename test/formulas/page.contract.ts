import { excelFunctions } from '../../packages/documents/src/formats/xlsx/formula/known-functions.ts'
import { EXCEL_PROOFS } from '../../packages/documents/src/formats/xlsx/recompute/excel-proofs.ts'
import { uncomputable } from '../../packages/documents/src/formats/xlsx/recompute/function-kinds.ts'
import type { Proof } from './proofs.contract.ts'

/** docs/formulas.md: which functions are computed, with which arguments, and which are not. */
export function formulasPage(
  proven: Readonly<Record<string, readonly string[]>>,
  proofs: readonly Proof[],
  wrong: readonly Proof[],
): string {
  const names = Object.keys(proven).filter(name => /^[A-Z]/.test(name))
  const all = excelFunctions()
  const never = all.filter(name => uncomputable(name) !== undefined)
  const excel = Object.entries(EXCEL_PROOFS).map(
    ([name, proof]) => [name, proof.split(' : ')[0]!.split(' | ')] as const,
  )
  const fresh = excel.flatMap(([name, shapes]) => {
    const own = shapes.filter(shape => shape !== '' && !proven[name]?.includes(shape))
    return own.length > 0 && !never.includes(name) ? [[name, own] as const] : []
  })
  const known = new Set([...names, ...excel.map(([name]) => name)])
  const open = all.filter(name => !never.includes(name) && !known.has(name))
  const shown = (name: string) => `\`${name}(${proven[name]!.join(')` `(')})\``
  return `# Formulas

Made from the proofs in \`test/formulas\`; \`npm test\` fails when it is out of date.

After an edit Filewright computes the formulas that read the edited cells, directly or through others. It writes a result
only with a proof ([0160](decisions/0160-a-result-needs-a-proof.md)):

1. A formula that has a stored result is first computed with the old inputs. If that gives the stored result, the formula is
   proven for the kinds of values that it read.
2. A formula without a stored result, one whose stored result is not reproduced, one with a branch (IF, IFS, IFERROR, IFNA,
   SWITCH, CHOOSE), one that reads another kind of value than before, and one whose result is of another kind have a result
   only if all their functions are proven for their arguments.
3. A formula that reads one without a result has none. So have the cells that an array formula over several cells, a spill or
   a data table fills, and the empty cells that a spill may come to fill.
4. Where programs, languages or years differ (a text that may be a date, an order of texts with signs in them, the last digits
   of a number, several internal rates of return), there is no result, and the reason says so.

A formula without a result is calculated when the workbook is opened in a spreadsheet program; the answer names it with the
reason. A formula that reads another workbook keeps its stored result, and the answer says so. TODAY and NOW are computed
for the time of the call.

## Proven

Excel is the judge: a test withholds the results that it stored in 121 workbooks and compares those that are computed in
their place; none may be wrong. ${excel.length} functions are proven by these workbooks for the kinds of values in them. ${proofs.length - wrong.length}
formulas over ${names.length} functions give what LibreOffice gives, or what was worked out by hand where LibreOffice differs from
Excel. Arguments are written by their shape: \`s\` one value, \`r\` a range, \`a\` a list computed in the formula,
\`o\` left out; a literal is one that chooses what the function does. Repeated arguments are shown once.

${names.map(shown).join(', ')}

By Excel's workbooks alone, or with more arguments than above, for the kinds of values in them: ${fresh.map(([name, shapes]) => `\`${name}(${shapes.join(')` `(')})\``).join(', ')}

## Not proven

These have a result only under rule 1, where a stored result shows that they are computed right:

${open.join(', ')}

Computed otherwise than they should be, and therefore without a proof: ${wrong.map(({ formula }) => `\`${formula}\``).join(', ')}.

## Not computed

These need another program or service, change each time, are known only when computed, or give several values. So do array
formulas over several cells, data tables, circular references, ranges where one cell is expected, and date functions in
workbooks whose dates count from 1904.

${never.join(', ')}
`
}
