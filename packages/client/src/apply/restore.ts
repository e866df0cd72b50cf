import {
  type Applied,
  type ChangeSetId,
  type Content,
  fail,
  ok,
  type RelativePath,
  type Result,
  toDocPath,
} from '@filewright/protocol'
import { readWhole } from '../workspace/paths/folder.ts'
import type { Place, Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { applyWanted } from './apply.ts'
import type { WantedFile } from './change-set.ts'
import type { CheckpointStore, Displaced } from './checkpoints.ts'
import { idOf } from './late.ts'
import { nothingWritten } from './nothing-written.ts'
import type { ApplyCode, ApplyPorts } from './ports.ts'

export type RestoreResult = Promise<Result<Applied, ApplyCode | 'NOT_FOUND'>>

/**
 * Brings back bytes that another program wrote and that could not stay in place, as a change set of its own. What was
 * only added to the end of the old file, as programs that write a log do, is added to the end of the file; anything
 * else becomes a file next to it, so that no side is overwritten.
 */
export async function restore(
  id: string,
  ports: ApplyPorts,
  { as }: { readonly as: ChangeSetId },
): RestoreResult {
  const { checkpoints } = ports
  const all = await checkpoints.displaced()
  const found = all.find(each => idOf(each) === id)
  const bytes = found && (await readKept(found, checkpoints))
  if (!found || !bytes) return notKept(id, all)
  const tree = await ports.workspace.openTree()
  const file = await planRestore(found, bytes, { tree, checkpoints }).finally(() => tree.close())
  if (!file.ok) return nothingWritten(file)
  const set = { id: as, label: `Restore ${id}`, files: [file.value], emptied: [] }
  const applied = await applyWanted(set, ports)
  const marked = { ...found, isTold: true, restoredBytes: bytes.length }
  if (applied.ok) await checkpoints.noteDisplaced(marked)
  return applied
}

async function readKept(
  { sha256, ...displaced }: Displaced,
  checkpoints: CheckpointStore,
): Promise<Uint8Array | null> {
  if (sha256 === null) return null
  const file = await checkpoints.openDisplaced({ ...displaced, sha256 })
  return file && readWhole(file).finally(() => file.close())
}

function notKept(id: string, all: readonly Displaced[]) {
  const ids = all.filter(({ sha256, isReported }) => sha256 !== null && isReported).map(idOf)
  const known = ids.length > 0 ? `These are: ${ids.join(', ')}.` : 'Nothing is.'
  return fail('NOT_FOUND', `Nothing was written: no bytes are kept as ${id}. ${known}`)
}

interface RestorePorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
}

async function planRestore(
  displaced: Displaced,
  bytes: Uint8Array,
  { tree, checkpoints }: RestorePorts,
): Promise<Result<WantedFile, ApplyCode>> {
  const { path } = displaced
  const located = await tree.locate(path)
  if (!located.ok && located.failure.code !== 'NOT_FOUND')
    return fail('InvalidPath', located.failure.message)
  if (!located.ok) return ok(toNewFile(path, bytes))
  const current = await readPlace(located.value)
  const added = await findAdded(displaced, bytes, checkpoints)
  if (added?.length === 0 || Buffer.compare(current, bytes) === 0)
    return fail('CONFLICT', `Nothing was written: "${path}" already has those bytes.`)
  return ok(added ? toLonger(path, current, added) : toNewFile(await freeName(path, tree), bytes))
}

async function readPlace({ folder, name }: Place): Promise<Uint8Array> {
  const file = await folder.openFile(name)
  return readWhole(file).finally(() => file.close())
}

/** What came after the base and was not brought back yet; undefined when the base itself was changed. */
async function findAdded(
  { changeSetId, index, was, restoredBytes = 0 }: Displaced,
  bytes: Uint8Array,
  checkpoints: CheckpointStore,
): Promise<Uint8Array | undefined> {
  const kept = was === 'before' ? await checkpoints.open(changeSetId, index) : null
  const base = kept && (await readWhole(kept).finally(() => kept.close()))
  if (!base || Buffer.compare(base, bytes.subarray(0, base.length)) !== 0) return undefined
  return bytes.subarray(Math.max(base.length, restoredBytes))
}

function toLonger(path: RelativePath, current: Uint8Array, added: Uint8Array): WantedFile {
  const content: Content = [
    { from: 'base', start: 0, end: current.length },
    { from: 'inline', bytes: added },
  ]
  const sha256 = sha256Of(Buffer.concat([current, added]))
  return { docPath: toDocPath(path), path, base: sha256Of(current), content, sha256 }
}

function toNewFile(path: RelativePath, bytes: Uint8Array): WantedFile {
  const content: Content = [{ from: 'inline', bytes }]
  return { docPath: toDocPath(path), path, base: null, content, sha256: sha256Of(bytes) }
}

/** `notes.txt` → `notes (kept).txt`, `notes (kept 2).txt` … */
async function freeName(path: RelativePath, tree: Tree): Promise<RelativePath> {
  const [, name] = splitPath(path)
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? path.length - name.length + dot : path.length
  for (let n = 1; ; n++) {
    const tail = ` (kept${n === 1 ? '' : ` ${n}`})${path.slice(end)}`
    const tried = `${path.slice(0, end)}${tail}` as RelativePath
    const located = await tree.locate(tried)
    if (!located.ok && located.failure.code === 'NOT_FOUND') return tried
  }
}
