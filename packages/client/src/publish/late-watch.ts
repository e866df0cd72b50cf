import type { ChangeSetId, serialise } from '@filewright/protocol'
import { findLate, type LatePorts, toWarning } from '../apply/late.ts'

/**
 * A program that had a file open when it was replaced, such as one that writes a log, goes on writing into the old file.
 * Nobody would see that: so the old files are looked at again a moment later, and at the end.
 */
export interface LateWatch {
  /** Looks at the old files of this change set a moment from now. */
  expect(changeSetId: ChangeSetId): void
  /** What was found and not reported yet, with the command that brings it back. */
  takeNotices(): Promise<string[]>
  /** Looks once more at what it still expects. */
  close(): Promise<void>
}

const MOMENT_MS = 2000
const MOST_EXPECTED = 64 // old files of the newest change sets are looked at; undo looks at any

export interface LateWatchPorts extends LatePorts {
  readonly oneAtATime: ReturnType<typeof serialise>
  readonly onError: (error: unknown) => void
}

export async function createLateWatch(ports: LateWatchPorts): Promise<LateWatch> {
  const { checkpoints, oneAtATime, onError } = ports
  const expected = new Map<ChangeSetId, NodeJS.Timeout>()
  let untold = (await checkpoints.displaced()).filter(({ isTold }) => isTold === false)

  /** Not beside an apply, which moves these files. */
  const look = (changeSetId: ChangeSetId) =>
    oneAtATime('apply', async () => {
      clearTimeout(expected.get(changeSetId))
      expected.delete(changeSetId)
      const checkpoint = await checkpoints.get(changeSetId)
      if (!checkpoint) return
      const found = await findLate(checkpoint, ports, { isTold: false })
      untold = [...untold, ...found.filter(({ isNew }) => isNew).map(({ late }) => late)]
      checkpoints.releaseOld(changeSetId)
    })

  return {
    expect(changeSetId) {
      const [oldest] = expected.keys()
      if (oldest !== undefined && expected.size >= MOST_EXPECTED) look(oldest).catch(onError)
      const timer = setTimeout(() => look(changeSetId).catch(onError), MOMENT_MS)
      expected.set(changeSetId, timer.unref())
    },
    async takeNotices() {
      const telling = untold
      untold = []
      for (const late of telling) await checkpoints.noteDisplaced({ ...late, isTold: true })
      return telling.map(toWarning)
    },
    async close() {
      await Promise.all([...expected.keys()].map(look)).catch(onError)
    },
  }
}
