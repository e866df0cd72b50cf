import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '@filewright/protocol'
import { randomFrom } from './random-edits.contract.ts'
import { type LawCase, lawCase } from './rebase-law.contract.ts'

/** The system's own is tried too: the first on the path may be another, without the packages of the system. */
export const PYTHON = ['python3', '/usr/bin/python3'].find(
  name => spawnSync(name, ['-c', 'import openpyxl']).status === 0,
)

/** One step of the script below: its name, the sheet and what it takes. */
export type ProgramEdit = readonly [string, ...(string | number)[]]

export interface ProgramCase extends Pick<LawCase, 'seed' | 'base' | 'draft' | 'moved'> {
  readonly edits: readonly ProgramEdit[]
  /** Sheets whose lines it moves. */
  readonly stirred: ReadonlySet<string>
}

/** A draft of values and comments, or one that moves lines, beside what a program of another make does to the file. */
export function programCase(seed: number): ProgramCase {
  const own = lawCase(seed)
  const next = randomFrom(seed + 1_000_000)
  const random = (below: number) => Math.floor(next() * below)
  const sheetOf = () => (random(2) === 0 ? 'S' : 'T')
  const cellOf = () => `${'ABCDE'[random(5)]}${1 + random(10)}`
  const stirred = new Set<string>()
  const edits = Array.from({ length: 1 + random(3) }, (): ProgramEdit => {
    const [sheet, cell, n] = [sheetOf(), cellOf(), random(900)]
    const [row, column] = [1 + random(8), 1 + random(5)]
    const other: ProgramEdit[] = [
      ['set', sheet, cell, `theirs${n}`],
      ['set', sheet, cell, `=${sheetOf()}!${cellOf()}+${9_000_100 + n}`],
      ['comment', sheet, cell, `theirs${n}`],
      ['link', sheet, cell, `https://example.com/theirs${n}`],
      ['validation', sheet, cell, 9_000_100 + n],
      ['rule', sheet, cell, 9_000_100 + n],
      ['name', sheet, `theirs${n}`, `${sheet}!$B$${row}`],
      ['chart', sheet, cell, `theirs${n}`],
    ]
    if (random(2) === 0) return other[random(other.length)]!
    stirred.add(sheet)
    return (
      [
        ['insert_rows', sheet, row],
        ['delete_rows', sheet, row],
        ['insert_cols', sheet, column],
        ['delete_cols', sheet, column],
        ['move_row', sheet, row, 1 + random(8)],
        ['move_col', sheet, column, 1 + random(5)],
      ] satisfies ProgramEdit[]
    )[random(6)]!
  })
  const set = (): Operation => {
    const value = [`mine ${random(99)}`, 700 + random(99), 'Yes', null][random(4)]
    return { op: 'set_cells', sheet: sheetOf(), cells: [{ cell: cellOf(), value }] }
  }
  const note = (): Operation => ({
    op: 'set_comment',
    sheet: sheetOf(),
    cell: cellOf(),
    text: 'mine',
    author: 'Me',
  })
  const draft = own.moved ? own.draft : [set(), random(3) === 0 ? note() : set()]
  const { base, moved } = own
  return { seed, base, draft, edits, stirred, ...(moved && { moved }) }
}

const SCRIPT = `
import json, sys, openpyxl
from openpyxl.comments import Comment
from openpyxl.chart import LineChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter as letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
def comment(ws, cell, text): ws[cell].comment = Comment(text, 'Ann')
def link(ws, cell, url): ws[cell].hyperlink = url
def put(ws, cell, value): ws[cell] = value
def rule(ws, cell, value): ws.conditional_formatting.add(cell, CellIsRule('greaterThan', [str(value)], font=Font(bold=True)))
def validation(ws, cell, value):
  own = DataValidation(type='whole', operator='greaterThan', formula1=str(value)); own.add(cell); ws.add_data_validation(own)
def name(ws, text, refers):
  own = DefinedName(text, attr_text=refers); names = ws.parent.defined_names
  names.append(own) if hasattr(names, 'append') else names.__setitem__(text, own)
def chart(ws, cell, text):
  own = LineChart(); own.title = text; own.add_data(Reference(ws, min_col=2, min_row=2, max_row=4)); ws.add_chart(own, cell)
def move_row(ws, row, to):
  ws.insert_rows(to); at = row + 1 if to <= row else row
  ws.move_range(f'A{at}:{letter(ws.max_column)}{at}', rows=to - at); ws.delete_rows(at)
def move_col(ws, col, to):
  ws.insert_cols(to); at = col + 1 if to <= col else col
  ws.move_range(f'{letter(at)}1:{letter(at)}{ws.max_row}', cols=to - at); ws.delete_cols(at)
OWN = dict(set=put, comment=comment, link=link, rule=rule, validation=validation, name=name, chart=chart, move_row=move_row, move_col=move_col)
for job in json.load(open(sys.argv[1])):
  book = openpyxl.load_workbook(job['in'])
  book.save(job['out'] + '0.xlsx')
  for step, (what, sheet, *rest) in enumerate(job['edits']):
    ws = book[sheet]
    OWN[what](ws, *rest) if what in OWN else getattr(ws, what)(*rest)
    book.save(f"{job['out']}{step + 1}.xlsx")
`

/** The files as openpyxl saves them before the first edit and after each. */
export function editedByOpenpyxl(
  jobs: readonly { readonly bytes: Uint8Array; readonly edits: readonly ProgramEdit[] }[],
  folder: string,
): Uint8Array[][] {
  const list = jobs.map(({ bytes, edits }, index) => {
    const own = { in: join(folder, `${index}.xlsx`), out: join(folder, `${index}.out`), edits }
    writeFileSync(own.in, bytes)
    return own
  })
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(list))
  const { status, stderr } = spawnSync(PYTHON!, ['-c', SCRIPT, join(folder, 'jobs.json')])
  if (status !== 0) throw new Error(`openpyxl: ${stderr}`)
  return list.map(({ out, edits }) =>
    Array.from({ length: edits.length + 1 }, (_, step) => readFileSync(`${out}${step}.xlsx`)),
  )
}
