import {
  type Circumstances,
  type DraftLine,
  type LoggedOperation,
  type Operation,
  ok,
  type Result,
} from '@filewright/protocol'
import type { DraftEdits, Edited, FileFailure } from '@filewright/tools'
import { addLine, type Draft, type DraftFile, scratchOf } from '../draft/draft.ts'
import {
  draftedBytes,
  draftedRef,
  engineFor,
  stateOf,
  viewDrafted,
  viewFile,
} from '../draft/draft-view.ts'
import { refuseTooMany } from '../draft/too-many-places.ts'
import type { DraftWork } from '../files/draft-work.ts'
import { createEntrance } from '../files/enter-draft.ts'
import { pinInputs } from '../files/pin-inputs.ts'
import { toldChanges } from '../review/whole-change.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'

type EditLine = Extract<DraftLine, { type: 'edit' }>

export interface EditWork extends DraftWork {
  readonly circumstances: Circumstances
  /** The lines of the call so far. */
  readonly lines: readonly DraftLine[]
  /** The engine works on this document. */
  readonly touch: (key: string) => void
}

/** Operations on one file of a draft: carried out by the engine, then recorded. */
export function createEditor(work: EditWork): Pick<DraftEdits, 'edit'> {
  const { desk, scratch, lines, record } = work
  const { enter } = createEntrance(work)

  async function edit(...[spelling, format, operations, options]: Parameters<DraftEdits['edit']>) {
    const entry = await enter(spelling, format, options)
    if (!entry.ok) return entry
    const { line, created, begin } = entry.value
    const held = scratch.files.get(line.docPath)
    const before = held && !held.isDeleted ? held : foldOne(scratch, line)
    const pinned = await pinInputs(work, format, operations)
    if (!pinned.ok) return pinned
    const { logged: inputs, bytes } = pinned.value
    const first = countOperations(lines)
    const logged = toLogged(operations, first, isBlank(before)).map((entry, i) => ({
      ...entry,
      ...inputs[i],
    }))
    work.touch(`${scratch.id}:${line.docPath}`)
    const ref = draftedRef(desk, scratch, before, begin)
    const applied = await engineFor(desk, format).apply(ref, logged, stateOf(before, logged), {
      allowProtected: options.allowProtected ?? before.allowProtected,
      allowBreakSignature: options.allowBreakSignature ?? before.allowBreakSignature,
      inputs: bytes,
    })
    if (!applied.ok) return applied as Result<never, FileFailure>
    const { changes, traces, ...said } = applied.value
    const tooMany = refuseTooMany(scratch, format, changes.length)
    if (tooMany) return tooMany
    const done = logged.map((entry, i) => ({ ...entry, trace: traces[i]! }))
    const edited = { changeCount: changes.length, ...line, operations: done }
    const isRecorded = created || (logged.length > 0 && !(await isAsOnDisk(edited)))
    if (isRecorded) record(edited)
    const file = isRecorded
      ? await viewDrafted(desk, scratch, scratch.files.get(line.docPath)!)
      : await viewFile(desk, scratch, line.path)
    if (!file.ok) return file
    const { results, warnings } = said
    return ok({
      file: file.value,
      created,
      results,
      changes: created ? toldChanges(scratch.files.get(line.docPath)!, changes) : changes,
      warnings,
      draftId: scratch.files.size === 0 ? null : scratch.id,
    } satisfies Edited)
  }

  /** A file that comes out unchanged, so the draft does not need it. */
  async function isAsOnDisk(edited: EditLine): Promise<boolean> {
    if (edited.changeCount !== 0 || scratch.files.has(edited.docPath)) return false
    const written = await draftedBytes(desk, scratch, foldOne(scratch, edited))
    if (!written.ok || sha256Of(written.value) !== edited.base) return false
    engineFor(desk, edited.format).forget(`${scratch.id}:${edited.docPath}`)
    return true
  }

  function toLogged(
    operations: readonly Operation[],
    first: number,
    onBlank: boolean,
  ): LoggedOperation[] {
    const { circumstances } = work
    const { toolCallId } = work.ids
    return operations.map((operation, i) => ({
      toolCallId,
      index: first + i,
      operation,
      circumstances: onBlank && i === 0 ? { ...circumstances, onBlank } : circumstances,
    }))
  }

  return { edit }
}

/** Created without content, and not touched since. */
function isBlank({ disk, copyOf, origin, log }: DraftFile): boolean {
  return disk === null && copyOf === undefined && origin === undefined && log.length === 0
}

/** A file's state with what one line does to it. */
function foldOne(draft: Draft, line: EditLine) {
  const alone = scratchOf(draft)
  addLine(alone, line)
  return alone.files.get(line.docPath)!
}

/** Over all files of the call: the ids of changes derive from call and number. */
function countOperations(lines: readonly DraftLine[]): number {
  let count = 0
  for (const line of lines) if (line.type === 'edit') count += line.operations.length
  return count
}
