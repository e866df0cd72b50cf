import type { Fields } from '@filewright/protocol'
import { readChart } from '../../../../../charts/read-chart.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { type DrawnObject, findDrawing } from '../../../objects/drawing.ts'
import { LiveBook } from '../../../objects/live-book.ts'
import type { Editor } from '../../editor.ts'

/** The names of everything drawn on a sheet, in lower case. */
export function namesOf(book: Book, sheet: Sheet): readonly string[] {
  const live = new LiveBook(book)
  return (findDrawing(live, live.sheet(sheet))?.objects ?? []).map(({ name }) => name.toLowerCase())
}

/** The chart or picture that a call names: by name, title, cell or number; the only one where it names none. */
export function chosenObject(
  live: LiveBook,
  sheet: Sheet,
  fields: Fields,
  kind: 'chart' | 'picture',
): DrawnObject {
  const own = objectsOf(live, sheet).filter(object => object.kind === kind)
  const wanted = fields[kind]
  if (wanted === undefined && own.length === 1) return own[0]!
  const found = own.filter((object, index) => isMeant(live, object, index, wanted))
  if (found.length === 1) return found[0]!
  const shown = own.map(({ name, cell }) => `${JSON.stringify(name)}${cell ? ` at ${cell}` : ''}`)
  const list =
    own.length === 0
      ? `${JSON.stringify(sheet.name)} has no ${kind}`
      : `the ${kind}s of ${JSON.stringify(sheet.name)} are ${shown.slice(0, 30).join(', ')}`
  throw new Refusal(
    wanted === undefined ? 'INVALID_ARGUMENT' : 'NO_SUCH_REGION',
    wanted === undefined
      ? `${fields.op} needs ${kind}; ${list}`
      : `${found.length > 1 ? `several ${kind}s are` : `no ${kind} is`} ${JSON.stringify(wanted)}; ${list}`,
  )
}

/** The same call with the object's name: a number, a title or a cell may mean another one in a replay. */
export function withName(
  editor: Editor,
  live: LiveBook,
  sheet: Sheet,
  fields: Fields,
  kind: 'chart' | 'picture',
): Fields {
  const name = editor.resolve(kind, () => {
    const found = chosenObject(live, sheet, fields, kind)
    const named = objectsOf(live, sheet).filter(own => isMeant(live, own, -1, found.name))
    return named.length === 1 ? found.name : null // another one has that name, or shows it
  })
  return name === null ? fields : { ...fields, [kind]: name }
}

function objectsOf(live: LiveBook, sheet: Sheet): readonly DrawnObject[] {
  return findDrawing(live, live.sheet(sheet))?.objects ?? []
}

function isMeant(live: LiveBook, object: DrawnObject, index: number, wanted: unknown): boolean {
  if (typeof wanted === 'number') return wanted === index + 1
  if (typeof wanted !== 'string') return false
  const folded = wanted.trim().toLowerCase()
  if (object.name.toLowerCase() === folded || object.cell?.toLowerCase() === folded) return true
  const tree = object.kind === 'chart' ? live.package.findTree(object.part) : undefined
  const title = tree ? readChart(tree)?.title : object.alt
  return title !== undefined && title !== '' && title.toLowerCase() === folded
}
