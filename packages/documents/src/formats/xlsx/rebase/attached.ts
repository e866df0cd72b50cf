import { aroundTexts } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { findDrawing } from '../objects/drawing.ts'
import { objectsOfBook, objectsOnSheet } from '../objects/list-objects.ts'
import { LiveBook } from '../objects/live-book.ts'
import { findReferring } from '../operations/referring.ts'
import { setupOf } from '../view/sheet-setup.ts'
import type { Frame, FramedSheet } from './frame.ts'
import type { Doubt } from './prove.ts'

/** Nobody attached anything to the sheet's cells, or changed or removed what is attached to them. */
export function doubtOfAttached({ places }: Frame, { pair }: FramedSheet): Doubt {
  if (!pair) return undefined
  const before = attachedTo(places.old, pair.oldSheet)
  const after = attachedTo(places.now, pair.nowSheet)
  const other = firstOnlyIn(after, before) ?? firstOnlyIn(before, after)
  return other && `what is attached to its cells was changed: ${other}`
}

/** Comments, links, validations, tables, charts, pictures, shapes, rules, filters, groups and print set-up, in words. */
function attachedTo(book: Book, sheet: Sheet): readonly string[] {
  const { conditionalFormats, groups, print } = setupOf(book, sheet).fields
  const { margins: _margins, paper: _paper, ...printed } = print as Record<string, unknown>
  const named = (name: string, value: unknown) => `${name} ${JSON.stringify(value)}`
  return [
    ...objectsOnSheet(book, sheet).map(({ place, text }) => `${place}: ${text}`),
    ...shapesOn(book, sheet),
    ...(conditionalFormats as readonly unknown[]).map(rule => named('the rule', rule)),
    ...aroundTexts(sheet, 'autoFilter').map(text => named('the filter', text)),
    ...aroundTexts(sheet, 'extLst').map(text => named('an extension', text)),
    named('groups', groups),
    named('print set-up', printed),
  ]
}

function shapesOn(book: Book, sheet: Sheet): readonly string[] {
  if (sheet.source.from !== 'part' || sheet.source.part === '') return []
  const live = new LiveBook(book)
  const shapes = findDrawing(live, live.sheet(sheet))?.objects ?? []
  return shapes
    .filter(({ kind }) => kind === 'shape')
    .map(({ name, cell }) => `shape ${name} at ${cell}`)
}

/** Nobody refers to the sheet who did not before. */
export function doubtOfReferring({ places }: Frame, { pair }: FramedSheet): Doubt {
  if (!pair) return undefined
  const before = mentionsOf(places.old, pair.oldSheet)
  const after = mentionsOf(places.now, pair.nowSheet)
  const added = firstOnlyIn([...after.keys()], [...before.keys()])
  return added === undefined ? undefined : `${after.get(added)} refers to it now`
}

/** Places by what they say of the sheet: formulas of cells, names, charts, validations; links and pivot tables. */
function mentionsOf(book: Book, sheet: Sheet): ReadonlyMap<string, string> {
  const names = new Set(book.sheets.map(({ name }) => name.toLowerCase()))
  const { places, formulas } = findReferring(book, sheet, name => names.has(name.toLowerCase()))
  const word = sheet.name.toLowerCase()
  const others = book.sheets.filter(own => own !== sheet)
  const objects = [
    ...others.flatMap(own => objectsOnSheet(book, own)),
    ...objectsOfBook(book),
    ...others.flatMap(own =>
      aroundTexts(own, 'conditionalFormatting').map(text => ({
        place: `a rule on ${own.name}`,
        text,
      })),
    ),
    ...book.definedNames.map(({ name, text }) => ({ place: `the name ${name}`, text })),
  ].filter(({ text }) => text.toLowerCase().includes(word))
  return new Map([
    ...places.map((place, index) => [formulas[index]!, place] as const),
    ...objects.map(({ place, text }) => [text, place] as const),
  ])
}

function firstOnlyIn(own: readonly string[], other: readonly string[]): string | undefined {
  const known = new Set(other)
  return own.find(each => !known.has(each))
}
