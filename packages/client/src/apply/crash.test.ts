import { describe, expect } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  changeSet,
  create,
  createRandom,
  portsOnDisks,
  prepareDisks,
  sorted,
  treeOf,
} from '../testing/apply-kit.ts'
import { after, before, folders, set } from '../testing/twenty-files.ts'
import { MemoryDisk, type MemoryDiskOptions } from '../workspace/memory/memory-folder.ts'
import { PowerCut, Recorder, type Survives } from '../workspace/memory/recording.ts'
import { apply, recover } from './apply.ts'
import type { Intent } from './journal.ts'
import { undo } from './undo.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'

const disks: Record<string, () => MemoryDisk[]> = {
  'one disk': () => [new MemoryDisk()],
  'the state on another disk': () => [new MemoryDisk(), new MemoryDisk()],
  'a disk that renumbers its files': () => [new MemoryDisk({ renumbers: true })],
  'a disk without exchange': () => [new MemoryDisk({ exchange: false })],
  'a disk without hard links': () => [new MemoryDisk({ hardLinks: false, exchange: false })],
  'a disk that folds capitals': () => [new MemoryDisk({ ignoreCase: true } as MemoryDiskOptions)],
  'a disk that folds capitals and has no hard links': () => [
    new MemoryDisk({ ignoreCase: true, hardLinks: false, exchange: false } as MemoryDiskOptions),
  ],
}

describe.each(Object.entries(disks))('%s', (name, makeDisks) => {
  const isThorough = FULL || name === 'one disk'

  verifies(
    [
      'CONTRACT §6 crash finished or undone',
      'CONTRACT §6 no temporary files',
      'CONTRACT §6 publish all or none',
      'CONTRACT §6 publish keeps a checkpoint',
    ],
    'the power goes after any step of an apply: recovery gives exactly the old or exactly the new tree',
    async () => {
      const outcomes = { old: 0, new: 0 }
      const steps = await countSteps()
      for (let cut = 0; cut <= steps; cut++)
        for (const [name, survives] of policies(cut, isThorough)) {
          const recorder = await applyUntil(cut)
          const crashed = recorder.crash(survives)
          await recover(await portsOnDisks(crashed))
          const outcome = await checkTree(crashed, `cut after ${cut} of ${steps}, ${name}`)
          if (cut === steps) expect(outcome, 'what was answered as written is durable').toBe('new')
          outcomes[outcome]++
        }
      expect(outcomes.old).toBeGreaterThan(steps / 3)
      expect(outcomes.new).toBeGreaterThan(3)
    },
    { timeout: 300_000 },
  )

  verifies(
    ['CONTRACT §6 crash finished or undone', 'CONTRACT §6 no temporary files'],
    'the power goes again during recovery: the next recovery gives the old or the new tree',
    async () => {
      const steps = await countSteps()
      const random = createRandom(7)
      const rounds = FULL ? 4000 : 80
      for (let round = 0; round < rounds; round++) {
        const cut = Math.floor(random() * (steps + 1))
        let crashed = (await applyUntil(cut)).crash(() => random() < 0.5)
        for (let again = 0; again < 3; again++) {
          const recorder = new Recorder(crashed, Math.floor(random() * 60))
          await recover(await portsOnDisks(crashed)).catch(ignorePowerCut)
          crashed = recorder.crash(() => random() < 0.5)
        }
        await recover(await portsOnDisks(crashed))
        await checkTree(crashed, `round ${round}, cut after ${cut}`)
      }
    },
    { timeout: 300_000 },
  )

  verifies(
    ['CONTRACT §6 crash finished or undone', 'CONTRACT §6 displaced bytes kept'],
    'the power goes while a collision is taken back: the old tree, and the file that got in between',
    async () => {
      const steps = (await applyUntil(Number.POSITIVE_INFINITY, 'zz.txt')).steps.length
      for (let cut = 0; cut <= steps; cut++)
        for (const [name, survives] of policies(cut, isThorough)) {
          const crashed = (await applyUntil(cut, 'zz.txt')).crash(survives)
          await recover(await portsOnDisks(crashed))
          const { files, folders: found } = treeOf(crashed[0]!)
          if (cut === steps) expect(files['zz.txt']).toBe('an editor was here')
          delete files['zz.txt']
          const where = `cut after ${cut} of ${steps}, ${name}`
          expect({ files, found }, where).toEqual({ files: sorted(before), found: folders.before })
        }
    },
    { timeout: 300_000 },
  )

  async function countSteps(): Promise<number> {
    return (await applyUntil(Number.POSITIVE_INFINITY)).steps.length
  }

  /** With `collidesAt`, another program makes that file between the plan and the swap. */
  async function applyUntil(cut: number, collidesAt?: string): Promise<Recorder> {
    const fresh = makeDisks()
    prepareDisks(fresh, before)
    const recorder = new Recorder(fresh, cut)
    const ports = await portsOnDisks(fresh)
    if (!collidesAt) {
      const applied = await apply(set, ports).catch(ignorePowerCut)
      if (applied) expect(applied).toMatchObject({ ok: true })
      return recorder
    }
    const intend = async (intent: Intent) => {
      await ports.journal.intend(intent)
      await saveAs(fresh[0]!, collidesAt, 'an editor was here')
    }
    const colliding = changeSet(set.id, [...set.files, create(collidesAt, 'ours')])
    const refused = await apply(colliding, {
      ...ports,
      journal: { ...ports.journal, intend },
    }).catch(ignorePowerCut)
    if (refused) expect(refused).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
    return recorder
  }

  async function checkTree(crashed: MemoryDisk[], where: string): Promise<'old' | 'new'> {
    const found = treeOf(crashed[0]!)
    const isNew = 'top.txt' in found.files
    expect(found, where).toEqual({
      files: sorted(isNew ? after : before),
      folders: isNew ? folders.after : folders.before,
    })
    const ports = await portsOnDisks(crashed)
    expect(await ports.journal.unfinished(), where).toEqual([])
    const checkpoint = await ports.checkpoints.get(set.id)
    if (isNew) {
      const undone = await undo(set.id, ports, { as: 'cs_undo' as typeof set.id })
      expect(undone.ok ? 'ok' : undone.failure.message, where).toBe('ok')
      expect(treeOf(crashed[0]!), where).toEqual({ files: sorted(before), folders: folders.before })
    } else expect(checkpoint, where).toBeNull()
    return isNew ? 'new' : 'old'
  }
})

/** What happens to steps that were not synced; where it is not thorough, one policy a cut, in turn. */
function policies(cut: number, isThorough: boolean): [name: string, survives: Survives][] {
  const random = createRandom(cut)
  const some: [string, Survives][] = numberList(FULL ? 12 : 1).map(n => [
    `some kept (${n})`,
    () => random() < 0.5,
  ])
  const all: [string, Survives][] = [['all lost', () => false], ['all kept', () => true], ...some]
  return isThorough ? all : [all[cut % all.length]!]
}

async function saveAs(disk: MemoryDisk, path: string, text: string): Promise<void> {
  const folder = await disk.openRoot().openFolder('ws')
  const file = await folder.createFile(path)
  await file.write([Buffer.from(text)])
  await file.sync()
  await folder.sync()
}

function ignorePowerCut(error: unknown): null {
  if (error instanceof PowerCut) return null
  throw error
}

function numberList(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
