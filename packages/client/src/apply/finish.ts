import type { Applied, AppliedFile } from '@filewright/protocol'
import type { CheckpointStore, Displaced } from '../checkpoints.ts'
import { type Folder, isErrno, type NodeStatus } from '../workspace/folder.ts'
import type { Tree } from '../workspace/local-path.ts'
import { tempNames } from '../workspace/temp-names.ts'
import { openIfThere, syncFolders } from './folders.ts'
import { forEachInTurn } from './in-turn.ts'
import type { Commit, Intent } from './journal.ts'
import type { Swapped } from './swap.ts'

export interface FinishPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  readonly now: () => number
  /** Of this process; after a crash nobody knows, and every file is hashed again. */
  readonly moved?: Swapped['moved']
}

/** Older than the coarsest clock of a disk in use (FAT): a later write shows in the time. */
const SETTLED_MS = 2000

export interface Finished {
  readonly applied: Applied
  readonly displaced: readonly Displaced[]
}

/** After the decision: what was moved away becomes the checkpoint. Does no harm when it is done again after a crash. */
export async function finish(
  intent: Intent,
  commit: Commit,
  ports: FinishPorts,
): Promise<Finished> {
  const { tree, checkpoints } = ports
  const displaced: Displaced[] = []
  let keptBytes = 0
  await forEachInTurn(commit.files.entries(), async ([index, file]) => {
    const late = await keepOld(index, file)
    if (late) displaced.push(late)
  })
  const { changeSetId, label, time, undoes, folders } = intent
  await Promise.all([
    syncFolders(tree, intent),
    checkpoints.record({
      changeSetId,
      ...(label !== undefined && { label }),
      time,
      files: commit.files,
      madeFolders: folders,
      keptBytes,
      ...(undoes !== undefined && { undoes }),
    }),
  ])
  const warnings = [...commit.warnings, ...displaced.map(toWarning)]
  return { applied: { changeSetId, files: commit.files, warnings }, displaced }

  async function keepOld(index: number, file: AppliedFile): Promise<Displaced | undefined> {
    const temp = tempNames(intent.token, index)
    const tempIn = await openIfThere(tree, intent.files[index]!.tempIn)
    if (file.after !== null) await removeIfThere(tempIn, temp.staged)
    if (file.before === null || !tempIn) return undefined
    const untouched = await untouchedSince(ports.moved?.get(index), tempIn, temp.kept)
    if (untouched) {
      keptBytes += untouched.sizeBytes
      await checkpoints.keep(intent.changeSetId, index, tempIn, temp.kept)
      return undefined
    }
    const kept = await tempIn.digest(temp.kept).catch(ignoreMissing)
    if (!kept) {
      keptBytes += await sizeOfKept(index)
      return undefined
    }
    keptBytes += kept.sizeBytes
    if (kept.sha256 === file.before) {
      await checkpoints.keep(intent.changeSetId, index, tempIn, temp.kept)
      return undefined
    }
    const late: Displaced = {
      changeSetId: intent.changeSetId,
      index,
      was: 'before',
      path: file.path,
      sha256: kept.sha256,
      sizeBytes: kept.sizeBytes,
      time: ports.now(),
      reason: 'a program that had the old file open wrote into it after it was replaced',
      isReported: true,
    }
    await checkpoints.keepDisplaced(late, tempIn, temp.kept)
    return late
  }

  /** It was compared after it was moved away; has anybody written into it since? */
  async function untouchedSince(
    then: NodeStatus | undefined,
    folder: Folder,
    name: string,
  ): Promise<NodeStatus | null> {
    if (!then || ports.now() - then.mtimeMs < SETTLED_MS) return null
    const now = await folder.statusOf(name)
    const isSame =
      now?.identity === then.identity &&
      now.sizeBytes === then.sizeBytes &&
      now.mtimeMs === then.mtimeMs
    return isSame ? now : null
  }

  async function sizeOfKept(index: number): Promise<number> {
    const kept = await checkpoints.open(intent.changeSetId, index)
    kept?.close()
    return kept?.status.sizeBytes ?? 0
  }
}

export function toWarning({ path, reason, sha256 }: Displaced): string {
  return `"${path}": ${reason}. Those bytes${sha256 ? ` (version ${sha256.slice(0, 8)})` : ''} are kept apart and can be restored.`
}

async function removeIfThere(folder: Folder | null, name: string): Promise<void> {
  try {
    await folder?.remove(name)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

function ignoreMissing(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null
  throw error
}
