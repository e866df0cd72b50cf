import type { Box, Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { splitRanges } from '../../cell/address.ts'
import type { LookEdit } from '../../looks/look-edit.ts'
import { parseLook } from '../../looks/parse-look.ts'
import { UnknownLook } from '../../looks/unknown-look.ts'
import { boxField, textField } from '../arguments.ts'

/** `A1:B2`, or several: `A1:B2,D4`. */
export function boxesField(sheet: Sheet, fields: Fields): readonly Box[] {
  const ranges = splitRanges(textField(fields, 'range', 'A1:C10'))
  return ranges.length < 2
    ? [boxField(sheet, fields)]
    : ranges.map(range => boxField(sheet, { ...fields, range }))
}

/** Runs what may find that a look cannot be read. */
export function readingLooks<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnknownLook) throw new Refusal('INVALID_ARGUMENT', error.message)
    throw error
  }
}

export function lookField(style: string | Fields | undefined): LookEdit | undefined {
  if (style === undefined) return undefined
  const edit = readingLooks(() => parseLook(style))
  return Object.keys(edit).length > 0 ? edit : undefined
}
