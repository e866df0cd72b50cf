import type { Applied, ChangeSetId } from '@filewright/protocol'
import type { Displaced } from '../checkpoints.ts'
import { splitPath, type Tree } from '../workspace/local-path.ts'
import { tempNames } from '../workspace/temp-names.ts'
import { finish, toWarning } from './finish.ts'
import { openIfThere } from './folders.ts'
import type { Intent } from './journal.ts'
import type { ApplyPorts, Recovery } from './ports.ts'
import { takeBack } from './take-back.ts'

/** Finishes what was decided before a crash and takes back what was not, in the order it began. */
export async function recoverUnfinished(ports: ApplyPorts): Promise<Recovery> {
  const { workspace, journal, checkpoints, now } = ports
  const finished: Applied[] = []
  const undone: ChangeSetId[] = []
  const displaced: Displaced[] = []
  for (const { intent, commit, renames } of await journal.unfinished()) {
    const { changeSetId } = intent
    const tree = await workspace.openTree()
    try {
      if (commit && !(await isAsBefore(intent, tree))) {
        const done = await finish(intent, commit, { tree, checkpoints, now })
        finished.push(done.applied)
        displaced.push(...done.displaced)
      } else {
        const noteRenames = () => journal.noteRenames(changeSetId)
        displaced.push(
          ...(await takeBack(intent, { tree, checkpoints, now, renames, noteRenames })),
        )
        undone.push(changeSetId)
      }
      await journal.end(changeSetId, { durable: true })
    } finally {
      tree.close()
    }
  }
  return { finished, undone, displaced, warnings: displaced.map(toWarning) }
}

/**
 * A decision whose sync failed was taken back, and yet may be found in the journal. No file can be as before
 * otherwise: a decision that stands leaves its temporary names until its files are in the checkpoint.
 */
async function isAsBefore({ files, token }: Intent, tree: Tree): Promise<boolean> {
  for (const [index, { path, base, tempIn }] of files.entries()) {
    const temp = tempNames(token, index)
    const holder = await openIfThere(tree, tempIn)
    for (const name of [temp.staged, temp.kept, temp.withdrawn])
      if (holder && (await holder.statusOf(name)) !== null) return false
    const [folderPath, name] = splitPath(path)
    const folder = await openIfThere(tree, folderPath)
    const status = (await folder?.statusOf(name)) ?? null
    if (base === null ? status !== null : status?.kind !== 'file') return false
    if (base !== null && (await folder!.digest(name)).sha256 !== base) return false
  }
  return true
}
