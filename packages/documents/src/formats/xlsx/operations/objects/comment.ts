import { toChangeId } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { type CellAddress, cellName, placeOf } from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { LiveBook } from '../../objects/live-book.ts'
import { findNote, putNote, removeNote } from '../../objects/notes.ts'
import { answerThread, findThread, noteOfThread, removeThread } from '../../objects/threads.ts'
import { cellField, gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'

/** A note at a cell, or another text for the one there; where people talk about the cell, an answer to them. */
export function setComment(editor: Editor, args: WorkbookArgs<'set_comment'>): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const at = cellField(sheet, args, 'cell')
  const { text } = args
  const now = new LiveBook(book)
  const thread = findThread(now, now.sheet(sheet), at)
  const note = findNote(now, now.sheet(sheet), at)
  const given = args.author ?? editor.circumstances.author
  const author = given === '' ? 'Filewright' : given
  const cell = cellName(at.row, at.column)
  const place = `${placeOf(sheet.name, cell)} comment`
  const done = thread ? 'Answered the comment at' : note ? 'Changed the comment at' : 'Commented on'
  const result = {
    op: 'set_comment',
    sheet: sheet.name,
    cell,
    message: `${done} ${placeOf(sheet.name, cell)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const frame = live.sheet(sheet)
    const talk = findThread(live, frame, at)
    if (!talk) return putNote(live, frame, at, { author, text })
    answerThread(live, talk, at, { ...idsFor(editor, place), author, text })
    const known = findNote(live, frame, at)
    const shown = noteOfThread([...talk.texts, text])
    if (known) putNote(live, frame, at, { author: known.author, text: shown })
  })
  const before = thread?.texts.join('\n') ?? note?.text
  editor.recordObject(place, {
    before: before === undefined ? null : { text: before },
    after: { text: thread ? [...thread.texts, text].join('\n') : text },
    objects: [{ kind: 'comment', sheet: sheet.id, box: boxOf(at) }],
    sheet: book.sheets[sheet.id]!,
    ...(thread && { description: 'an answer' }),
  })
  return result
}

/** Takes a note, or a whole conversation, off a cell. */
export function removeComment(
  editor: Editor,
  args: WorkbookArgs<'remove_comment'>,
): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const at = cellField(sheet, args, 'cell')
  const cell = cellName(at.row, at.column)
  const now = new LiveBook(book)
  const thread = findThread(now, now.sheet(sheet), at)
  const note = findNote(now, now.sheet(sheet), at)
  if (!thread && !note)
    throw new Refusal('NO_SUCH_REGION', `${placeOf(sheet.name, cell)} has no comment`)
  const place = `${placeOf(sheet.name, cell)} comment`
  const result = {
    op: 'remove_comment',
    sheet: sheet.name,
    cell,
    message: `Took the comment off ${placeOf(sheet.name, cell)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const frame = live.sheet(sheet)
    const talk = findThread(live, frame, at)
    if (talk) removeThread(live, frame, talk)
    removeNote(live, frame, at)
  })
  editor.recordObject(place, {
    before: { text: thread?.texts.join('\n') ?? note?.text ?? '' },
    after: null,
    objects: [{ kind: 'comment', sheet: sheet.id, box: boxOf(at) }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

function boxOf({ row, column }: CellAddress) {
  return { top: row, bottom: row, left: column, right: column }
}

/** Ids that a replay makes again. */
function idsFor({ circumstances, callKey }: Editor, place: string) {
  return {
    id: guidOf(`${callKey} ${place}`),
    personId: guidOf(circumstances.author),
    time: circumstances.time,
  }
}

function guidOf(text: string): string {
  const digits = [0, 1, 2]
    .map(round => toChangeId(text, round, 'guid').slice(4))
    .map(own => Buffer.from(own).toString('hex').slice(-12))
    .join('')
    .toUpperCase()
    .padEnd(32, '0')
  const part = (from: number, to: number) => digits.slice(from, to)
  return `{${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}}`
}
