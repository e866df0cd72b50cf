import type { OperationResult } from '../../../../format.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { LiveBook } from '../../objects/live-book.ts'
import { PROPERTIES, readProperty, writeProperty } from '../../objects/properties.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { wrong } from './object-fields.ts'

/** Title, author and the like of the workbook; null takes one away. */
export function setProperties(
  editor: Editor,
  args: WorkbookArgs<'set_properties'>,
): OperationResult {
  const book = settledBook(editor)
  const given = args.properties
  if (Object.keys(given).length === 0)
    throw wrong(
      args,
      `needs properties, such as {"title": "Budget"}; there are ${Object.keys(PROPERTIES).join(', ')}`,
    )
  const strange = Object.keys(given).find(name => !Object.hasOwn(PROPERTIES, name))
  if (strange !== undefined)
    throw wrong(
      args,
      `there is no property ${JSON.stringify(strange)}; there are ${Object.keys(PROPERTIES).join(', ')}`,
    )
  const now = new LiveBook(book)
  const done: string[] = []
  for (const [name, sent] of Object.entries(given)) {
    const value = sent ?? ''
    const before = readProperty(now, name)
    const place = `property ${name}`
    if ((before ?? '') === value || !editor.accepts(place)) continue
    changeParts(editor, live => writeProperty(live, name, value))
    editor.recordObject(place, {
      before: before === undefined ? null : { text: before },
      after: value === '' ? null : { text: value },
      objects: [{ kind: 'property', name }],
    })
    done.push(name)
  }
  return {
    op: 'set_properties',
    message:
      done.length === 0 ? 'They were set so already.' : `Set ${done.join(', ')} of the workbook.`,
  }
}
