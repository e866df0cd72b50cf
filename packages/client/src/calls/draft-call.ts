import {
  type CallIds,
  type Circumstances,
  type DraftLine,
  fail,
  type LoggedOperation,
  type Operation,
  ok,
  type Result,
} from '@filewright/protocol'
import type { Arranged, ClientContext, DraftEdits, Edited, FileFailure } from '@filewright/tools'
import { addLine, type Draft, scratchOf } from '../draft/draft.ts'
import {
  type Desk,
  draftedBytes,
  draftedRef,
  engineFor,
  stateOf,
  viewDrafted,
  viewFile,
} from '../draft/draft-view.ts'
import { refuseTooMany } from '../draft/too-many-places.ts'
import { createArranger } from '../files/arrange-files.ts'
import { createDraftFiles } from '../files/draft-files.ts'
import type { DraftWork } from '../files/draft-work.ts'
import { createEntrance } from '../files/enter-draft.ts'
import type { FileLister } from '../files/file-lister.ts'
import { toldChanges } from '../review/whole-change.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'

/** One call's work on a draft: nothing is kept until its lines are. */
export interface DraftCall {
  readonly context: ClientContext
  /** What the call did, in order. */
  readonly lines: readonly DraftLine[]
  /** The call failed: what the engine holds of it is forgotten. */
  abandon(): void
}

export interface DraftCallOptions {
  readonly desk: Desk
  readonly lister: FileLister
  /** The session's draft, or an empty one that is opened when the call writes. */
  readonly draft: Draft
  readonly ids: CallIds
  readonly circumstances: Circumstances
}

type Failed = Result<never, FileFailure>

export function startDraftCall({
  desk,
  lister,
  draft,
  ids,
  circumstances,
}: DraftCallOptions): DraftCall {
  const scratch = scratchOf(draft)
  const lines: DraftLine[] = []
  const touched = new Set<string>()

  function record(line: DraftLine) {
    lines.push(line)
    addLine(scratch, line)
  }

  const files = createDraftFiles(desk, lister, scratch)
  const work: DraftWork = { desk, lister, scratch, files, ids, time: circumstances.time, record }
  const { enter } = createEntrance(work)
  const { arrange } = createArranger(work)

  const edits: DraftEdits = {
    async edit(spelling, format, operations, options) {
      const entry = await enter(spelling, format, options)
      if (!entry.ok) return entry
      const { line, created, begin } = entry.value
      const held = scratch.files.get(line.docPath)
      const before = held && !held.isDeleted ? held : foldOne(scratch, line)
      const logged = toLogged(operations, countOperations(lines, line.docPath))
      touched.add(`${scratch.id}:${line.docPath}`)
      const engine = engineFor(desk, format)
      const applied = await engine.apply(
        draftedRef(desk, scratch, before, begin),
        logged,
        stateOf(before, logged),
        {
          allowProtected: options.allowProtected ?? before.allowProtected,
          allowBreakSignature: options.allowBreakSignature ?? before.allowBreakSignature,
        },
      )
      if (!applied.ok) return applied as Failed
      const tooMany = refuseTooMany(scratch, format, applied.value.changes.length)
      if (tooMany) return tooMany
      const edit = { changeCount: applied.value.changes.length, ...line, operations: logged }
      const isRecorded = created || (logged.length > 0 && !(await isAsOnDisk(edit)))
      if (isRecorded) record(edit)
      const file = isRecorded
        ? await viewDrafted(desk, scratch, scratch.files.get(line.docPath)!)
        : await viewFile(desk, scratch, line.path)
      if (!file.ok) return file
      const { results, warnings } = applied.value
      const changes = created
        ? toldChanges(scratch.files.get(line.docPath)!, applied.value.changes)
        : applied.value.changes
      return ok({
        file: file.value,
        created,
        results,
        changes,
        warnings,
        draftId: scratch.files.size === 0 ? null : scratch.id,
      } satisfies Edited)
    },

    async arrange(steps) {
      const arranged: Arranged[] = []
      for (const [index, step] of steps.entries()) {
        const done = await arrange(step, index)
        if (!done.ok)
          return fail(
            done.failure.code,
            `Nothing was written: operation ${index + 1} (${step.op}) failed. ${done.failure.message}`,
            {
              kind: done.failure.kind,
              details: done.failure.details,
            },
          )
        arranged.push(done.value)
      }
      return ok({ draftId: scratch.id, arranged })
    },
  }

  /** A file that comes out as it stands, which the draft has no use for. */
  async function isAsOnDisk(edit: Extract<DraftLine, { type: 'edit' }>): Promise<boolean> {
    if (edit.changeCount !== 0 || scratch.files.has(edit.docPath)) return false
    const written = await draftedBytes(desk, scratch, foldOne(scratch, edit))
    if (!written.ok || sha256Of(written.value) !== edit.base) return false
    engineFor(desk, edit.format).forget(`${scratch.id}:${edit.docPath}`)
    return true
  }

  function toLogged(operations: readonly Operation[], first: number): LoggedOperation[] {
    return operations.map((operation, i) => ({
      toolCallId: ids.toolCallId,
      index: first + i,
      operation,
      circumstances,
    }))
  }

  return {
    context: { call: ids, files, draft: edits },
    lines,
    abandon() {
      for (const key of touched) {
        desk.engines.trusted.forget(key)
        desk.engines.hostile.forget(key)
      }
    },
  }
}

/** A file's state with what one line does to it. */
function foldOne(draft: Draft, line: Extract<DraftLine, { type: 'edit' }>) {
  const alone = scratchOf(draft)
  addLine(alone, line)
  return alone.files.get(line.docPath)!
}

function countOperations(lines: readonly DraftLine[], docPath: string): number {
  let count = 0
  for (const line of lines)
    if (line.type === 'edit' && line.docPath === docPath) count += line.operations.length
  return count
}
