import type { OperationResult } from '../../../../format.ts'
import { attribute } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { oneAround } from '../../book/around.ts'
import { columnFormats, type LineFormat, rowFormats } from '../../book/line-sizes.ts'
import type { LineEdit, Sheet } from '../../book/sheet.ts'
import { columnName, MAX_COLUMN, MAX_ROW, placeOf } from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { parseLines } from '../rows/line-fields.ts'
import { ElementEdit } from './element-edit.ts'
import { setLine } from './style-painter.ts'

const MOST_LEVELS = 7 // Excel: Data, Group

export function group(editor: Editor, args: WorkbookArgs<'group'>): OperationResult {
  return changeLevels(editor, args, true)
}

export function ungroup(editor: Editor, args: WorkbookArgs<'ungroup'>): OperationResult {
  return changeLevels(editor, args, false)
}

function changeLevels(
  editor: Editor,
  args: WorkbookArgs<'group' | 'ungroup'>,
  isDeeper: boolean,
): OperationResult {
  const sheet = gridField(editor.book, args)
  const axes = (['rows', 'columns'] as const).filter(axis => args[axis] !== undefined)
  if (axes.length !== 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${args.op} needs rows, such as "5:9", or columns, such as "C:E"`,
    )
  const axis = axes[0]!
  const { first, last } = parseLines(axis, args[axis])
  const isFolded = 'collapse' in args && args.collapse === true
  const name = axis === 'rows' ? `${first}:${last}` : `${columnName(first)}:${columnName(last)}`
  const place = `${placeOf(sheet.name, name)} ${isDeeper ? 'grouped' : 'ungrouped'}`
  const formats = formatsOf(sheet, axis, first, last)
  const levelOf = (line: number) => formats.get(line)?.level ?? 0
  refuseLevels(levelOf, first, last, isDeeper, name)
  if (editor.accepts(place)) {
    for (let line = first; line <= last; line++) {
      const level = levelOf(line) + (isDeeper ? 1 : -1)
      const isShown = !isDeeper && level === 0 && isInFolded(sheet, axis, last, formats)
      const edit = {
        level: Math.max(level, 0),
        ...(isDeeper && isFolded && { hidden: true }),
        ...(isShown && { hidden: false }),
      }
      editor.onUndo(setLine(sheet[axis], line, edit))
    }
    foldAfter(editor, sheet, axis, first, last, isDeeper ? isFolded : false)
    growLevels(editor, sheet, axis, first, last)
    editor.recordSheet(sheet, place, {
      kind: 'structure',
      before: { text: levelWords(formats.get(first)) },
      after: { text: `${isDeeper ? 'grouped' : 'ungrouped'}${isFolded ? ', folded' : ''}` },
      // what was not grouped cannot be ungrouped
      dependsOn: editor.writersOfPart(sheet, `groups-of-${axis}`),
      carries: false,
    })
    editor.notePart(sheet, `groups-of-${axis}`, place)
  }
  return {
    op: args.op,
    sheet: sheet.name,
    [axis]: name,
    message: `${isDeeper ? 'Grouped' : 'Ungrouped'} ${axis} ${name} on ${JSON.stringify(sheet.name)}${isFolded ? ' and folded them' : ''}.`,
  }
}

/** One group more around the rows. */
export function deepenRows(editor: Editor, sheet: Sheet, first: number, last: number): void {
  const formats = rowFormats(sheet, first, last)
  for (let row = first; row <= last; row++) {
    const level = Math.min((formats.get(row)?.level ?? 0) + 1, MOST_LEVELS)
    editor.onUndo(setLine(sheet.rows, row, { level }))
  }
  growLevels(editor, sheet, 'rows', first, last)
}

function levelWords(format: LineFormat | undefined): string {
  return format && format.level > 0 ? `in ${format.level} groups` : 'not grouped'
}

function refuseLevels(
  levelOf: (line: number) => number,
  first: number,
  last: number,
  isDeeper: boolean,
  name: string,
): void {
  let [least, most] = [MOST_LEVELS, 0]
  for (let line = first; line <= last; line++) {
    least = Math.min(least, levelOf(line))
    most = Math.max(most, levelOf(line))
  }
  if (isDeeper && most >= MOST_LEVELS)
    throw new Refusal('CONFLICT', `${name} is in ${MOST_LEVELS} groups already, the most there are`)
  if (!isDeeper && most === 0) throw new Refusal('NO_SUCH_REGION', `${name} is in no group`)
}

function formatsOf(sheet: Sheet, axis: 'rows' | 'columns', first: number, last: number) {
  return axis === 'rows' ? rowFormats(sheet, first, last) : columnFormats(sheet, first, last)
}

/** Whether the line that shows the group's sign says that it is folded. */
function isInFolded(
  sheet: Sheet,
  axis: 'rows' | 'columns',
  last: number,
  formats: ReadonlyMap<number, LineFormat>,
): boolean {
  const after = formatsOf(sheet, axis, last + 1, last + 1).get(last + 1)
  return after?.folded === true || [...formats.values()].every(own => own.hidden)
}

/** The sign of a group is at the line after it, or before it where the sheet says so. */
function foldAfter(
  editor: Editor,
  sheet: Sheet,
  axis: 'rows' | 'columns',
  first: number,
  last: number,
  isFolded: boolean,
): void {
  const outline = oneAround(sheet, 'sheetPr')?.root.children.find(own => own.local === 'outlinePr')
  const isBefore = attribute(outline, axis === 'rows' ? 'summaryBelow' : 'summaryRight') === '0'
  const line = isBefore ? first - 1 : last + 1
  if (line < 1 || line > (axis === 'rows' ? MAX_ROW : MAX_COLUMN)) return
  const known = formatsOf(sheet, axis, line, line).get(line)
  if ((known?.folded ?? false) === isFolded) return
  editor.onUndo(setLine(sheet[axis] as Map<number, LineEdit>, line, { folded: isFolded }))
}

/** The sheet says how many levels there are, so that their signs have room. */
function growLevels(
  editor: Editor,
  sheet: Sheet,
  axis: 'rows' | 'columns',
  first: number,
  last: number,
): void {
  const levels = [...formatsOf(sheet, axis, first, last).values()].map(({ level }) => level)
  const name = axis === 'rows' ? 'outlineLevelRow' : 'outlineLevelCol'
  const edit = ElementEdit.of(sheet, 'sheetFormatPr')
  const most = levels.reduce((a, b) => Math.max(a, b), 0)
  if (most <= Number(attribute(edit.root, name) ?? 0)) return
  edit.set(edit.root, name, String(most))
  if (attribute(edit.root, 'defaultRowHeight') === undefined)
    edit.set(edit.root, 'defaultRowHeight', '15')
  editor.onUndo(sheet.setAround('sheetFormatPr', [edit.finish()]))
}
