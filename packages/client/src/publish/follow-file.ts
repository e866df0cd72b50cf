import { editedAs, factsOf, findFormat } from '@filewright/documents'
import {
  fail,
  inline,
  ok,
  type Result,
  type Sha256,
  toBytes,
  toDocPath,
  toVersion,
} from '@filewright/protocol'
import type { CheckpointStore } from '../apply/checkpoints.ts'
import type { FileSince, Follow } from '../apply/undo.ts'
import { type Desk, engineFor } from '../draft/draft-view.ts'
import { recognise } from '../draft/recognise.ts'
import { readWhole } from '../workspace/paths/folder.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'

export interface MovedFilePorts {
  readonly desk: Desk
  readonly checkpoints: CheckpointStore
  /** Bytes that the store knows by their hash. */
  readonly fetchBase: (sha256: string) => Promise<Uint8Array | undefined>
}

/**
 * Undo of a file that somebody changed since: what the change set did is taken back in the file as it is now, where it
 * is proven to be still there. A redo is the undo of an undo.
 */
export function createFollow({ desk, checkpoints, fetchBase }: MovedFilePorts): Follow {
  return async moved => {
    const docPath = toDocPath(moved.path)
    const found = recognise(docPath, moved.current).format
    const format = found && editedAs(found)
    if (!format || !findFormat(format)?.has.rebase) return changedSince(moved)
    const after = await findBytes(moved.after)
    if (!after) return changedSince(moved)
    const version = toVersion(sha256Of(moved.current))
    const rebased = await engineFor(desk, format).rebase(factsOf(format).id, {
      name: { docPath, path: moved.path },
      base: after,
      current: moved.current,
      log: [],
      refused: new Set(),
      planned: inline(moved.before),
      version,
      since: `since then (it is version ${version})`,
      advice: 'Undo the later change first, or make this one by hand.',
      isDraft: true,
      by: 'the undo',
    })
    return rebased.ok ? ok(toBytes(rebased.value.content, moved.current)) : rebased
  }

  /** A later change set kept them as what it found; else the store has them as a version. */
  async function findBytes(sha256: Sha256): Promise<Uint8Array | undefined> {
    for (const { changeSetId, files } of await checkpoints.list()) {
      const index = files.findIndex(({ before }) => before === sha256)
      const kept = index < 0 ? null : await checkpoints.open(changeSetId, index)
      const bytes = kept && (await readWhole(kept).finally(() => kept.close()))
      if (bytes && sha256Of(bytes) === sha256) return bytes
    }
    return fetchBase(sha256)
  }
}

function changedSince({ path, after, current }: FileSince): Result<never> {
  return fail(
    'CONFLICT',
    `Nothing was written: since then "${path}" was changed (now version ${toVersion(sha256Of(current))}, was ${toVersion(after)}), so the change set cannot be taken back as a whole. Restore that, or make the change by hand.`,
    { details: { files: [{ docPath: toDocPath(path), path, expected: after }] } },
  )
}
