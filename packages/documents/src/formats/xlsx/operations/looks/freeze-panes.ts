import { counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { attribute, child, children, type XmlElement } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { frozenOf } from '../../book/line-sizes.ts'
import type { Sheet } from '../../book/sheet.ts'
import { cellName, parseCell, placeOf } from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { ElementEdit } from './element-edit.ts'
import { setSheetPart } from './set-part.ts'

interface Frozen {
  readonly rows: number
  readonly columns: number
}

/** Keeps the rows above and the columns left of a cell in view; `A1` or "none" lets everything scroll. */
export function freezePanes(editor: Editor, args: WorkbookArgs<'freeze_panes'>): OperationResult {
  const sheet = gridField(editor.book, args)
  const frozen = frozenField(args)
  const before = frozenOf(sheet)
  const words = describeFrozen(frozen)
  const result = { op: 'freeze_panes', sheet: sheet.name, frozen }
  if ((before?.rows ?? 0) === frozen.rows && (before?.columns ?? 0) === frozen.columns)
    return { ...result, message: `${JSON.stringify(sheet.name)} has ${words} already.` }
  const place = `${placeOf(sheet.name, 'panes')}`
  if (editor.accepts(place))
    setSheetPart(editor, sheet, 'sheetViews', [viewsWith(sheet, frozen)], {
      place,
      before: describeFrozen(before),
      after: words,
    })
  return { ...result, message: `${JSON.stringify(sheet.name)} has ${words} now.` }
}

export function describeFrozen(frozen: Frozen | undefined): string {
  const parts = [
    frozen && frozen.rows > 0 && counted(frozen.rows, 'row'),
    frozen && frozen.columns > 0 && counted(frozen.columns, 'column'),
  ].filter(part => typeof part === 'string')
  return parts.length === 0 ? 'nothing frozen' : `${parts.join(' and ')} frozen`
}

const MOST_LINES = 10_000 // more than a screen shows is a mistake, and Excel could not scroll

function frozenField({ at }: WorkbookArgs<'freeze_panes'>): Frozen {
  if (at === null || at === false || at === 'none') return { rows: 0, columns: 0 }
  const cell = typeof at === 'string' ? parseCell(at.replaceAll('$', '')) : undefined
  const row = typeof at === 'number' && Number.isInteger(at) ? at : undefined
  const [rows, columns] = cell ? [cell.row - 1, cell.column - 1] : [(row ?? 0) - 1, 0]
  if (rows >= 0 && rows <= MOST_LINES && columns <= MOST_LINES) return { rows, columns }
  throw new Refusal(
    'INVALID_ARGUMENT',
    'freeze_panes needs at, the first cell that scrolls, such as "A2" for one row or "B3" for two rows and a column; "none" takes it away',
  )
}

function viewsWith(sheet: Sheet, frozen: Frozen): string {
  const edit = ElementEdit.of(sheet, 'sheetViews')
  const views = children(edit.root, 'sheetView')
  const { prefix } = edit
  if (views.length === 0)
    edit.insert(
      edit.root,
      `<${prefix}sheetView workbookViewId="0">${paneXml(prefix, frozen, undefined)}</${prefix}sheetView>`,
      [],
    )
  for (const view of views) {
    for (const local of ['pane', 'selection'])
      for (const own of children(view, local)) edit.remove(own)
    // rows that are scrolled away could not be reached any more
    edit.set(view, 'topLeftCell', undefined)
    edit.insert(view, paneXml(prefix, frozen, view), [])
  }
  return edit.finish()
}

function paneXml(prefix: string, { rows, columns }: Frozen, view: XmlElement | undefined): string {
  const selections = view ? children(view, 'selection') : []
  const active = attribute(child(view, 'pane'), 'activePane')
  const own = selections.find(each => attribute(each, 'pane') === active) ?? selections.at(-1)
  const [cell, ref] = [attribute(own, 'activeCell'), attribute(own, 'sqref')]
  const kept = cell ? ` activeCell="${cell}" sqref="${ref ?? cell}"` : ''
  if (rows === 0 && columns === 0) return kept === '' ? '' : `<${prefix}selection${kept}/>`
  const pane = rows > 0 && columns > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight'
  const others = rows > 0 && columns > 0 ? ['topRight', 'bottomLeft'] : []
  const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`
  const first = cellName(rows + 1, columns + 1)
  return [
    `<${prefix}pane${split} topLeftCell="${first}" activePane="${pane}" state="frozen"/>`,
    ...others.map(each => `<${prefix}selection pane="${each}"/>`),
    `<${prefix}selection pane="${pane}"${kept}/>`,
  ].join('')
}
