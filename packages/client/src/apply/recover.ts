import type { Applied, ChangeSetId } from '@filewright/protocol'
import type { Displaced } from '../checkpoints.ts'
import { finish, toWarning } from './finish.ts'
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
      if (commit) {
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
