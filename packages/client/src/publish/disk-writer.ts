import {
  type Applied,
  type ChangeSet,
  type ChangeSetId,
  fail,
  type IdSource,
  ok,
  type Result,
  type serialise,
} from '@filewright/protocol'
import { apply } from '../apply/apply.ts'
import type { ApplyPorts } from '../apply/ports.ts'
import { findRedoable, findUndoable, redo, undo } from '../apply/undo.ts'
import type { Uploads } from '../link/uploads.ts'

/**
 * The only way to the disk: one change set at a time, recorded in the uploads as intended before and as applied after.
 */
export interface DiskWriter {
  /** Writes once `kept` resolves: the origin of the change set is durable. */
  apply(changeSet: ChangeSet, kept?: Promise<void>): Promise<Result<Applied>>
  /** Without an id, takes the last one that can be undone. */
  takeBack(way: 'undo' | 'redo', changeSetId?: ChangeSetId): Promise<Result<TakenBackSet>>
}

export interface TakenBackSet {
  /** The change set that was undone or redone. */
  readonly changeSetId: ChangeSetId
  readonly applied: Applied
}

export interface DiskWriterPorts {
  readonly ports: ApplyPorts
  readonly uploads: Uploads
  readonly oneAtATime: ReturnType<typeof serialise>
  readonly ids: IdSource
}

const WAYS = {
  undo: { find: findUndoable, take: undo },
  redo: { find: findRedoable, take: redo },
}

export function createDiskWriter(options: DiskWriterPorts): DiskWriter {
  const { ports, uploads, oneAtATime, ids } = options

  async function tell(applied: Result<Applied>): Promise<Result<Applied>> {
    if (applied.ok) await uploads.add(applied.value)
    return applied
  }

  return {
    apply: (changeSet, kept) =>
      oneAtATime('apply', async () => {
        const { id, files } = changeSet
        if (files.length === 0) return ok({ changeSetId: id, files: [], warnings: [] })
        await Promise.all([uploads.intend(id), kept])
        return tell(await apply(changeSet, ports))
      }),

    takeBack: (way, given) =>
      oneAtATime('apply', async () => {
        const { find, take } = WAYS[way]
        const changeSetId = given ?? find(await ports.checkpoints.list())?.changeSetId
        if (changeSetId === undefined)
          return fail('NOT_FOUND', `Nothing was written: there is nothing to ${way}.`)
        const as = ids('changeSet')
        await uploads.intend(as)
        const applied = await tell(await take(changeSetId, ports, { as }))
        return applied.ok ? ok({ changeSetId, applied: applied.value }) : applied
      }),
  }
}
