import {
  type Applied,
  type ChangeSet,
  type ChangeSetId,
  type DocPath,
  type ExecutedFile,
  fail,
  type IdSource,
  ok,
  type RelativePath,
  type Result,
  type serialise,
  toDocPath,
  toShellWord,
} from '@filewright/protocol'
import { apply } from '../apply/apply.ts'
import { idOf } from '../apply/late.ts'
import type { ApplyPorts } from '../apply/ports.ts'
import { restore } from '../apply/restore.ts'
import { type Follow, findRedoable, findUndoable, redo, undo } from '../apply/undo.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { Uploads } from '../link/uploads.ts'
import { executedAt, waitsForName } from './executed.ts'
import type { LateWatch } from './late-watch.ts'

/**
 * The only way to the disk: one change set at a time, recorded in the uploads as intended before and as applied after.
 */
export interface DiskWriter {
  apply(changeSet: ChangeSet, options?: WriteOptions): Promise<Result<Applied>>
  /** Without an id, takes the last one that can be undone. */
  takeBack(
    way: 'undo' | 'redo',
    changeSetId?: ChangeSetId,
    options?: Named,
  ): Promise<Result<TakenBackSet>>
  /** Brings back what another program wrote, by the id that the report named. */
  restore(id: string, options?: Named): Promise<Result<Applied>>
}

/** Files that other programs execute are written only when a person named them, whatever asks for it. */
export interface Named {
  readonly named?: readonly DocPath[]
}

export interface WriteOptions extends Named {
  /** Writes once this resolves: the origin of the change set is durable. */
  readonly kept?: Promise<void>
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
  readonly late: LateWatch
  readonly follow: Follow
  readonly writesUnasked: Desk['writesUnasked']
}

const WAYS = {
  undo: { find: findUndoable, take: undo },
  redo: { find: findRedoable, take: redo },
}

export function createDiskWriter(options: DiskWriterPorts): DiskWriter {
  const { ports, uploads, oneAtATime, ids, late, follow, writesUnasked } = options

  async function findUnnamed(
    files: readonly Pick<ExecutedFile, 'path' | 'docPath'>[],
    { named = [] }: Named,
  ): Promise<readonly ExecutedFile[]> {
    const unnamed = files.filter(({ docPath }) => !named.includes(docPath as DocPath))
    const { workspace } = ports
    const found = unnamed.map(file => executedAt({ workspace, writesUnasked }, file))
    return (await Promise.all(found)).flat()
  }

  async function tell(applied: Result<Applied>): Promise<Result<Applied>> {
    if (!applied.ok) return applied
    await uploads.add(applied.value)
    late.expect(applied.value.changeSetId)
    const notices = await late.takeNotices()
    if (notices.length === 0) return applied
    return ok({ ...applied.value, warnings: [...applied.value.warnings, ...notices] })
  }

  return {
    apply: (changeSet, { kept, named } = {}) =>
      oneAtATime('apply', async () => {
        const { id, files } = changeSet
        if (files.length === 0) return ok({ changeSetId: id, files: [], warnings: [] })
        const unnamed = await findUnnamed(files, { named })
        if (unnamed.length > 0) return waitsForName(unnamed, 'publish its changes with --only.')
        await Promise.all([uploads.intend(id), kept])
        return tell(await apply(changeSet, ports))
      }),

    takeBack: (way, given, options = {}) =>
      oneAtATime('apply', async () => {
        const { find, take } = WAYS[way]
        const changeSetId = given ?? find(await ports.checkpoints.list())?.changeSetId
        if (changeSetId === undefined)
          return fail('NOT_FOUND', `Nothing was written: there is nothing to ${way}.`)
        const written = (await ports.checkpoints.get(changeSetId))?.files ?? []
        const unnamed = await findUnnamed(written, options)
        if (unnamed.length > 0) return waitsForName(unnamed, byName(way, changeSetId, unnamed))
        const as = ids('changeSet')
        await uploads.intend(as)
        const applied = await tell(await take(changeSetId, ports, { as, follow }))
        return applied.ok ? ok({ changeSetId, applied: applied.value }) : applied
      }),

    restore: (id, options = {}) =>
      oneAtATime('apply', async () => {
        const displaced = (await ports.checkpoints.displaced()).filter(each => idOf(each) === id)
        const unnamed = await findUnnamed(displaced.map(toPlace), options)
        if (unnamed.length > 0) return waitsForName(unnamed, byName('restore', id, unnamed))
        const as = ids('changeSet')
        await uploads.intend(as)
        return tell(await restore(id, ports, { as }))
      }),
  }
}

function toPlace({ path }: { readonly path: RelativePath }) {
  return { path, docPath: toDocPath(path) }
}

function byName(verb: string, id: string, files: readonly ExecutedFile[]): string {
  const paths = files.map(({ path }) => toShellWord(path)).join(' ')
  return `filewright ${verb} ${id} --name ${paths}`
}
