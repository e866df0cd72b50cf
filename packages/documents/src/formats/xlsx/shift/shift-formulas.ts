import { decodeText, encodeText, type Splices } from '../../../opc/index.ts'
import type { Sheet } from '../book/sheet.ts'
import { type CellAddress, parseBox, refName } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { decodeTag, type SharedMaster } from '../cell/formula-tags.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { shiftFormula } from '../places/rewrites.ts'
import { movedBox, type ShiftRun } from './shift-run.ts'

/** Where a cell is afterwards; undefined: it is deleted. */
export type CellMap = (row: number, column: number) => CellAddress | undefined

interface SharedCell extends CellAddress {
  readonly tagStart: number
  readonly textStart: number
  readonly textEnd: number
  readonly end: number
  readonly to: CellAddress
}

/** Every formula of a sheet on the cells it named before: plain, shared, array and data tables. */
export function shiftFormulas(
  splices: Splices,
  run: ShiftRun,
  sheet: Sheet,
  xml: SheetXml,
  cellAt: CellMap,
): void {
  const shared = new Map<SharedMaster, SharedCell[]>()
  const isMoved = run.isMoved(sheet)
  scanFormulas(xml, own => {
    const to = cellAt(own.row, own.column)
    const tag = decodeTag(own)
    if (tag?.t === 'shared' && tag.si !== undefined) {
      const master = sheet.masterOf(xml, tag.si, own)
      if (!master || !to) return
      const cell = {
        row: own.row,
        column: own.column,
        tagStart: own.formulaStart,
        textStart: own.formulaText,
        textEnd: own.formulaTextEnd,
        end: own.formulaEnd,
        to,
      }
      const cells = shared.get(master)
      if (cells) cells.push(cell)
      else shared.set(master, [cell])
      return
    }
    if (!to) return
    const before = decodeText(own.bytes, own.formulaText, own.formulaTextEnd)
    const after = before === '' ? before : run.mapCell(before, sheet, to)
    if (after !== before) splices.replace(own.formulaText, own.formulaTextEnd, encodeText(after))
    if (isMoved && tag?.ref !== undefined)
      shiftTag(splices, run, xml.bytes, own.formulaStart, own.formulaText)
  })
  for (const [master, cells] of shared) shiftShared(splices, run, sheet, xml, master, cells)
}

/** The range of an array or a data table, and the input cells of a data table. */
function shiftTag(
  splices: Splices,
  run: ShiftRun,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const tag = Buffer.from(bytes.subarray(start, end)).toString('latin1')
  for (const match of tag.matchAll(/\s(?:ref|r1|r2)\s*=\s*["']([^"']*)["']/g)) {
    const box = parseBox(match[1]!)
    const after = box && movedBox(run.places, box)
    if (!after) continue
    const at = start + match.index + match[0].length - 1 - match[1]!.length
    if (refName(after) !== match[1]) splices.replace(at, at + match[1]!.length, refName(after))
  }
}

/** A shared formula stays shared while one text still serves all its cells; otherwise each gets its own. */
function shiftShared(
  splices: Splices,
  run: ShiftRun,
  sheet: Sheet,
  xml: SheetXml,
  master: SharedMaster,
  cells: readonly SharedCell[],
): void {
  if (!run.isMoved(sheet) && !run.mentions(master.text)) return
  const texts = cells.map(cell =>
    run.mapCell(
      shiftFormula(master.text, cell.row - master.row, cell.column - master.column),
      sheet,
      cell.to,
    ),
  )
  const first = cells.findIndex(cell => cell.row === master.row && cell.column === master.column)
  const home = cells[first]
  const isOne =
    home !== undefined &&
    cells.every(
      (cell, index) =>
        texts[index] ===
        shiftFormula(texts[first]!, cell.to.row - home.to.row, cell.to.column - home.to.column),
    )
  if (!isOne) {
    for (const [index, cell] of cells.entries())
      splices.replace(
        cell.tagStart,
        cell.end,
        `<${xml.prefix}f>${encodeText(texts[index]!)}</${xml.prefix}f>`,
      )
    return
  }
  if (texts[first] !== master.text)
    splices.replace(home.textStart, home.textEnd, encodeText(texts[first]!))
  if (!run.isMoved(sheet)) return
  const tag = Buffer.from(xml.bytes.subarray(home.tagStart, home.textStart)).toString('latin1')
  const match = /\sref\s*=\s*["']([^"']*)["']/.exec(tag)
  if (!match) return
  const rows = cells.map(({ to }) => to.row)
  const columns = cells.map(({ to }) => to.column)
  const ref = refName({
    top: least(rows),
    bottom: most(rows),
    left: least(columns),
    right: most(columns),
  })
  const at = home.tagStart + match.index + match[0].length - 1 - match[1]!.length
  if (ref !== match[1]) splices.replace(at, at + match[1]!.length, ref)
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b))
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b))
}
