import type { Applied, AppliedFile } from '@filewright/protocol'
import { type Folder, isErrno } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import { tempNames } from '../workspace/paths/temp-names.ts'
import type { CheckpointStore, Displaced } from './checkpoints.ts'
import { openIfThere, syncFolders } from './folders.ts'
import { forEachInTurn } from './in-turn.ts'
import type { Commit, Intent, Pair } from './journal.ts'
import { type Away, findKept, isExchangedOut } from './kept.ts'
import { SETTLED_MS, toLate, toWarning } from './late.ts'
import type { Moved, Swapped } from './swap.ts'

export interface FinishPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  readonly now: () => number
  readonly pairs: readonly Pair[]
  /** Known to this process only; after a crash every file is hashed again. */
  readonly moved?: Swapped['moved']
}

export interface Finished {
  readonly applied: Applied
  readonly displaced: readonly Displaced[]
}

/** After the decision: files that were moved away become the checkpoint. Safe to repeat after a crash. */
export async function finish(
  intent: Intent,
  commit: Commit,
  ports: FinishPorts,
): Promise<Finished> {
  const displaced: Displaced[] = []
  let keptBytes = 0
  await forEachInTurn(commit.files.entries(), async ([index, file]) => {
    const old = await keepOld(intent, index, file, ports)
    keptBytes += old?.sizeBytes ?? 0
    if (old?.late) displaced.push(old.late)
  })
  const { changeSetId, label, time, order = time, undoes, folders } = intent
  await Promise.all([
    syncFolders(ports.tree, intent),
    ports.checkpoints.record({
      changeSetId,
      ...(label !== undefined && { label }),
      time,
      order,
      files: commit.files,
      madeFolders: folders,
      keptBytes,
      ...(undoes !== undefined && { undoes }),
    }),
  ])
  const warnings = [...commit.warnings, ...displaced.map(toWarning)]
  return { applied: { changeSetId, files: commit.files, warnings }, displaced }
}

interface KeptOld {
  readonly sizeBytes: number
  /** The checkpoint does not need it. */
  readonly late?: Displaced
}

/** Undefined when there was no file before, or when it was kept separately before a crash. */
async function keepOld(
  intent: Intent,
  index: number,
  file: AppliedFile,
  ports: FinishPorts,
): Promise<KeptOld | undefined> {
  const { checkpoints } = ports
  const { changeSetId } = intent
  const moved = ports.moved?.get(index)
  const away = await toAway(intent, index, ports)
  const { tempIn, temp } = away
  const isOut = moved ? moved.kept.name === temp.staged : await isExchangedOut(away)
  if (file.after !== null && !isOut) await removeIfThere(tempIn, temp.staged)
  if (file.before === null) return undefined
  const place = moved?.kept ?? (await findKept(away, checkpoints))
  if (!place) return undefined
  const untouched = moved && (await isUntouched(moved, ports.now()))
  const kept = untouched ? moved.status : await place.folder.digest(place.name)
  const { sizeBytes } = kept
  if (!('sha256' in kept) || kept.sha256 === file.before) {
    const isBeside = place.name === temp.kept || place.name === temp.staged
    if (isBeside) await checkpoints.keep(changeSetId, index, place.folder, place.name)
    return { sizeBytes: 2 * sizeBytes } // the copy and the old file
  }
  const late = toLate({ changeSetId, index }, file, { sha256: kept.sha256, sizeBytes }, ports.now())
  await checkpoints.keepDisplaced(late, place.folder, place.name)
  return { sizeBytes, late }
}

async function toAway(
  { changeSetId, token, files }: Intent,
  index: number,
  { tree, pairs }: FinishPorts,
): Promise<Away> {
  const file = files[index]!
  const [folderPath, name] = splitPath(file.path)
  return {
    changeSetId,
    index,
    file,
    temp: tempNames(token, index),
    tempIn: await openIfThere(tree, file.tempIn),
    folder: await openIfThere(tree, folderPath),
    name,
    pair: pairs.find(pair => pair.index === index),
  }
}

/** It was compared after it was moved away; checks whether anyone wrote to it since. */
async function isUntouched({ status: then, kept }: Moved, nowMs: number): Promise<boolean> {
  if (nowMs - then.mtimeMs < SETTLED_MS) return false
  const now = await kept.folder.statusOf(kept.name)
  return (
    now?.identity === then.identity &&
    now.sizeBytes === then.sizeBytes &&
    now.mtimeMs === then.mtimeMs
  )
}

async function removeIfThere(folder: Folder | null, name: string): Promise<void> {
  try {
    await folder?.remove(name)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}
