import type { Book } from '../book/book.ts'
import { parseCell } from '../cell/address.ts'
import { tablesOf } from '../parts/sheet-parts.ts'

const MOST_LETTERS = 255

/** Why Excel takes no such name for a table or a range; undefined: it does. */
export function whyNoName(name: string): string | undefined {
  const advice = 'a name begins with a letter or _, and has letters, digits, _ and . only'
  if (name.length > MOST_LETTERS) return `a name has at most ${MOST_LETTERS} characters`
  if (!/^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(name))
    return `${JSON.stringify(name)} is no name; ${advice}`
  const isReference =
    parseCell(name) !== undefined || /^(?:[rc]|r\d*c\d*|[rc]\d+|true|false)$/i.test(name)
  return isReference ? `${JSON.stringify(name)} reads as a cell; choose another name` : undefined
}

/** What has the name already, in words. */
export function ownerOfName(book: Book, name: string, scope?: number): string | undefined {
  const folded = name.toLowerCase()
  for (const sheet of book.sheets)
    for (const table of tablesOf(book.part, sheet))
      if (table.name.toLowerCase() === folded)
        return `the table ${table.name} on ${JSON.stringify(sheet.name)}`
  const defined = book.definedNames.find(
    own => own.name.toLowerCase() === folded && own.localSheet === scope,
  )
  return defined && `the name ${defined.name}, which means ${defined.text}`
}

/** `Table3` where 1 and 2 are taken. */
export function freeObjectName(prefix: string, isTaken: (name: string) => boolean): string {
  let number = 1
  while (isTaken(`${prefix}${number}`)) number++
  return `${prefix}${number}`
}
