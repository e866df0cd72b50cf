import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'
import type { LineChange, LinePatch } from '../patch/line-changes.ts'
import { patchBetween } from '../patch/patch-between.ts'
import { insertAt } from '../patch/place-hunks.ts'
import { History } from '../write/history.ts'
import { editText } from './edit-text.ts'

/** As the operation `edit_text` has them. */
export interface TextReplacement {
  readonly search: string
  readonly replace: string
  readonly all?: boolean
}

/** The line changes that exact replacements mean on this text. The failure says which search does not fit, and why. */
export function editsToPatch(
  doc: TextDocument,
  edits: readonly TextReplacement[],
): Result<LinePatch, 'INVALID_ARGUMENT'> {
  const logged = {
    toolCallId: '',
    index: 0,
    operation: { op: 'edit_text', edits },
    circumstances: { time: '', author: '', seed: 0 },
  }
  const done = editText(History.open(doc), logged, UNNAMED)
  if (!done.ok) return fail('INVALID_ARGUMENT', done.failure.message, done.failure)
  const patch = patchBetween(doc.bytes, toBytes(done.value.history.content(), doc.bytes))
  if (!patch || patch.changes.length === 0)
    return fail('INVALID_ARGUMENT', 'the replacement leaves the lines as they are')
  return ok({ ...patch, changes: patch.changes.map(change => withNeighbours(change, doc)) })
}

const UNNAMED = { docPath: '', path: '' } as Parameters<typeof editText>[2]

/** An insert that names its neighbours proves its place. */
function withNeighbours(change: LineChange, doc: TextDocument): LineChange {
  return change.operation === 'insert' ? insertAt(change.afterLine, change.newLines, doc) : change
}
