import { type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { LiveBook } from '../../objects/live-book.ts'
import { PROPERTIES, readProperty, writeProperty } from '../../objects/properties.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { optionalText, wrong } from './object-fields.ts'

/** Title, author and the like of the workbook; null takes one away. */
export function setProperties(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const given = fields.properties
  if (!isFields(given) || Object.keys(given).length === 0)
    throw wrong(
      fields,
      `needs properties, such as {"title": "Budget"}; there are ${Object.keys(PROPERTIES).join(', ')}`,
    )
  const strange = Object.keys(given).find(name => !Object.hasOwn(PROPERTIES, name))
  if (strange !== undefined)
    throw wrong(
      fields,
      `there is no property ${JSON.stringify(strange)}; there are ${Object.keys(PROPERTIES).join(', ')}`,
    )
  const now = new LiveBook(book)
  const done: string[] = []
  for (const name of Object.keys(given)) {
    const value = optionalText({ ...given, op: fields.op }, name, 255) ?? ''
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
