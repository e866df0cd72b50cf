import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createRandom, sorted } from '../testing/apply-kit.ts'
import { openDiskPorts, readTree, writeTree } from '../testing/disk-ports.ts'
import { generation } from '../testing/generations.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { recover } from './apply.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'
const KILLS = FULL ? 500 : 12
const KILLS_OLD_WAY = FULL ? 500 : 4
const CHILD = fileURLToPath(new URL('../../dist/testing/apply-child.js', import.meta.url))

verifies(
  [
    'CONTRACT §6 crash finished or undone',
    'CONTRACT §6 no temporary files',
    'CONTRACT §6 publish all or none',
    'CONTRACT §6 name never vanishes',
  ],
  `a process killed ${KILLS} times while it applies 60 files leaves every replaced file whole, and recovery a whole generation`,
  () => killOften(KILLS, { exchange: true }),
  { timeout: 3_600_000 },
)

verifies(
  'CONTRACT §6 crash finished or undone',
  `so does recovery after ${KILLS_OLD_WAY} kills on a disk without exchange`,
  () => killOften(KILLS_OLD_WAY, { exchange: false }),
  { timeout: 3_600_000 },
)

async function killOften(kills: number, { exchange }: { exchange: boolean }): Promise<void> {
  const folder = makeTempFolder()
  const root = path.join(folder, 'workspace')
  const state = path.join(folder, 'state')
  fs.mkdirSync(root)
  writeTree(root, generation(0))
  const random = createRandom(11)
  const seen = { undone: 0, finished: 0, none: 0 }
  let current = 0
  // where an apply is over in no time few kills fall into one: then some more
  const isEnough = (kill: number) => kill >= kills && seen.undone > kills / 10
  for (let kill = 0; !isEnough(kill) && kill < 30 * kills; kill++) {
    await killSoon(root, state, { from: current, after: kill % 2, random, exchange })
    if (exchange) expectWhole(readTree(root), `kill ${kill}, before recovery`)
    const ports = await openDiskPorts(root, state, { exchange })
    const recovery = await recover(ports)
    ports.journal.close()
    expect(recovery.warnings).toEqual([])
    seen.undone += recovery.undone.length
    seen.finished += recovery.finished.length
    if (recovery.undone.length + recovery.finished.length === 0) seen.none++
    const tree = readTree(root)
    current = Number(/generation (\d+)/.exec(tree['always/0/0.txt']!)![1])
    expect(tree, `kill ${kill}`).toEqual(sorted(generation(current)))
  }
  expect(current).toBeGreaterThan(0)
  expect(seen.undone, JSON.stringify(seen)).toBeGreaterThan(kills / 10)
}

/** Every file that is replaced has its name, and the bytes of one generation. */
function expectWhole(tree: Record<string, string>, where: string): void {
  for (const name of Object.keys(generation(0)).filter(each => each.startsWith('always/'))) {
    const found = Number(/^generation (\d+)/.exec(tree[name] ?? '')?.[1])
    expect(tree[name], `${name}, ${where}`).toBe(generation(found)[name] ?? 'a generation')
  }
}

interface KillOptions {
  readonly from: number
  readonly after: number
  readonly random: () => number
  readonly exchange: boolean
}

/** When it finished `after` applies and began the next, and a random while later. */
async function killSoon(
  root: string,
  state: string,
  { from, after, random, exchange }: KillOptions,
) {
  const child = spawn(process.execPath, [CHILD, root, state, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FILEWRIGHT_EXCHANGE: exchange ? 'on' : 'off' },
  })
  const exited = once(child, 'exit')
  let begun = 0
  while (begun <= after) begun += (await once(child.stdout, 'data'))[0].length
  await new Promise(resolve => setTimeout(resolve, random() * 120))
  expect(child.exitCode, 'the applies succeed until the kill').toBeNull()
  child.kill('SIGKILL')
  await exited
}
