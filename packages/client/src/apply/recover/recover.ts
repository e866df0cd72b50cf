import type { Applied, ChangeSetId } from '@filewright/protocol'
import { isErrno } from '../../workspace/paths/folder.ts'
import type { Tree } from '../../workspace/paths/local-path.ts'
import { splitPath } from '../../workspace/paths/split-path.ts'
import { tempNames } from '../../workspace/paths/temp-names.ts'
import { finishAtOnce } from '../at-once.ts'
import type { Displaced } from '../checkpoints.ts'
import { finish } from '../finish.ts'
import { openIfThere } from '../folders.ts'
import type { Intent, Unfinished } from '../journal.ts'
import { toWarning } from '../late.ts'
import type { ApplyPorts, Recovery } from '../ports.ts'
import { findMovedFolders } from './find-moved.ts'
import { hasOldSpelling } from './old-spelling.ts'
import { takeBack } from './take-back.ts'

/**
 * Finishes applies that were decided before a crash and takes back the others, in the order they began. Those that the
 * disk does not allow now stay in the journal for the next time, with a warning.
 */
export async function recoverUnfinished(ports: ApplyPorts): Promise<Recovery> {
  const finished: Applied[] = []
  const complete: Applied[] = []
  const undone: ChangeSetId[] = []
  const displaced: Displaced[] = []
  const warnings: string[] = []
  for (const unfinished of await ports.journal.unfinished()) {
    const { changeSetId, label } = unfinished.intent
    try {
      const gone = await recoverOne(unfinished)
      if (gone.length > 0) warnings.push(...gone.map(toGoneWarning))
    } catch (error) {
      if (!isErrno(error)) throw error
      warnings.push(
        `The change set "${label ?? changeSetId}" was interrupted and could not be ${unfinished.commit ? 'finished' : 'taken back'} yet: the disk answered ${error.code}. The next apply or start tries again.`,
      )
    }
  }
  const lists = { finished, complete, undone, displaced }
  return { ...lists, warnings: [...warnings, ...displaced.map(toWarning)] }

  async function recoverOne({ intent, commit, renames, pairs }: Unfinished): Promise<string[]> {
    const { workspace, journal, checkpoints, now } = ports
    const { changeSetId } = intent
    if (workspace.atOnce) {
      const applied = await finishAtOnce(intent, workspace.atOnce, ports)
      if (applied) finished.push(applied)
      else undone.push(changeSetId)
      await journal.end(changeSetId, { durable: true })
      return []
    }
    const tree = await workspace.openTree()
    try {
      const gone = await findMovedFolders(tree, intent)
      if (commit && !(await isAsBefore(intent, tree))) {
        const isRecorded = (await checkpoints.get(changeSetId)) !== null
        const done = await finish(intent, commit, { tree, checkpoints, now, pairs })
        ;(isRecorded ? complete : finished).push(done.applied)
        displaced.push(...done.displaced)
      } else {
        const noteRenames = () => journal.noteRenames(changeSetId)
        const back = { tree, checkpoints, now, renames, pairs, noteRenames }
        displaced.push(...(await takeBack(intent, back)))
        undone.push(changeSetId)
      }
      await journal.end(changeSetId, { durable: true })
      return gone
    } finally {
      tree.close()
    }
  }
}

function toGoneWarning(path: string): string {
  return `The folder of "${path}" is no longer in the workspace; files in it whose names begin with ".filewright~" are left over from an interrupted change set.`
}

/**
 * A decision whose sync failed was taken back, but may still be in the journal. Only then can every file be as before:
 * a valid decision leaves its temporary names until its files are in the checkpoint.
 */
async function isAsBefore(intent: Intent, tree: Tree): Promise<boolean> {
  const { files, token } = intent
  for (const [index, { path, base, tempIn }] of files.entries()) {
    const temp = tempNames(token, index)
    const holder = await openIfThere(tree, tempIn)
    for (const name of [temp.staged, temp.kept, temp.withdrawn])
      if (holder && (await holder.statusOf(name)) !== null) return false
    const [folderPath, name] = splitPath(path)
    const folder = await openIfThere(tree, folderPath)
    const status = (await folder?.statusOf(name)) ?? null
    if (base === null && status && !(await hasOldSpelling(intent, index, folder!))) return false
    if (base !== null && status?.kind !== 'file') return false
    if (base !== null && (await folder!.digest(name)).sha256 !== base) return false
  }
  return true
}
