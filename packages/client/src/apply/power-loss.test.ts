import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { sorted } from '../testing/apply-kit.ts'
import { readTree, writeTree } from '../testing/disk-ports.ts'
import { generation } from '../testing/generations.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'

const CUTS = 100
const EVERY_MS = 120
const DISK = fileURLToPath(new URL('../../dist/testing/lossy-disk-child.js', import.meta.url))
const APPLIES = fileURLToPath(new URL('../../dist/testing/apply-child.js', import.meta.url))
const RECOVERS = fileURLToPath(new URL('../../dist/testing/recover-child.js', import.meta.url))

const isFull = process.env.FILEWRIGHT_FULL === '1'
const missing = isFull ? findMissing() : 'the whole counts'
if (isFull && missing) console.warn(`No power is cut: that needs ${missing}.`)

verifies(
  [
    'CONTRACT §6 crash finished or undone',
    'CONTRACT §6 no temporary files',
    'CONTRACT §6 publish all or none',
  ],
  `after each of ${CUTS} power cuts on ext4 there is one whole generation, and none that was reported is lost`,
  async () => {
    const folder = makeTempFolder()
    const cuts = path.join(folder, 'cuts')
    fs.mkdirSync(cuts)
    const told = await applyUntilCut(folder, cuts)
    const images = fs.readdirSync(cuts).filter(name => name.endsWith('.img'))
    expect(images.length).toBeGreaterThanOrEqual(CUTS)
    const seen = { undone: 0, finished: 0 }
    for (const image of images) {
      const disk = mountImage(path.join(cuts, image), path.join(folder, 'after'))
      try {
        const { undone, finished, current } = recoverOn(disk.folder)
        seen.undone += undone
        seen.finished += finished
        expect(current, image).toBeGreaterThanOrEqual(told(Number(image.split('.')[1])))
      } finally {
        disk.unmount()
      }
    }
    expect(seen.undone, JSON.stringify(seen)).toBeGreaterThan(CUTS / 10)
    expect(seen.finished, JSON.stringify(seen)).toBeGreaterThan(CUTS / 10)
  },
  { timeout: 600_000, skip: missing !== undefined },
)

/** Returns how many applies were confirmed before a moment. */
async function applyUntilCut(folder: string, cuts: string): Promise<(moment: number) => number> {
  const lossy = path.join(folder, 'lossy')
  fs.mkdirSync(lossy)
  const server = spawn(process.execPath, [DISK, lossy, '96', cuts, String(EVERY_MS), '7'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    server.kill('SIGKILL')
    spawnSync('umount', ['-l', lossy])
  })
  await once(server.stdout, 'data')
  const image = path.join(lossy, 'disk.img')
  run('mkfs.ext4', '-q', '-F', '-J', 'size=4', '-N', '65536', image)
  const disk = mountImage(image, path.join(folder, 'disk'))
  try {
    const [root, state] = [path.join(disk.folder, 'workspace'), path.join(disk.folder, 'state')]
    fs.mkdirSync(root)
    writeTree(root, generation(0))
    run('sync', '-f', root)
    fs.writeFileSync(path.join(cuts, 'go'), '')
    const child = spawn(process.execPath, [APPLIES, root, state, '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return await watch(child, cuts)
  } finally {
    disk.unmount()
    run('umount', lossy)
  }
}

/** It says a dot when it begins, and so that all before is done. */
async function watch(child: ChildProcess, cuts: string): Promise<(moment: number) => number> {
  const exited = once(child, 'exit')
  const begun: number[] = []
  child.stdout!.on('data', (dots: Buffer) => begun.push(...[...dots].map(() => Date.now())))
  while (fs.readdirSync(cuts).length <= CUTS && child.exitCode === null) await setTimeout(50)
  expect(child.exitCode, 'the applies succeed until they are ended').toBeNull()
  child.kill('SIGKILL')
  await exited
  return moment => begun.filter(time => time < moment).length - 1
}

/** In a process of its own: a disk on which a folder is held open cannot be unmounted. */
function recoverOn(folder: string) {
  const [root, state] = [path.join(folder, 'workspace'), path.join(folder, 'state')]
  const { undone, finished, warnings } = JSON.parse(run(process.execPath, RECOVERS, root, state))
  expect(warnings).toEqual([])
  const tree = readTree(root)
  expect(tree['always/0/0.txt']).toMatch(/^generation \d+/)
  const current = Number(/\d+/.exec(tree['always/0/0.txt']!)![0])
  expect(tree).toEqual(sorted(generation(current)))
  return { undone, finished, current }
}

function mountImage(image: string, folder: string) {
  fs.mkdirSync(folder, { recursive: true })
  run('mount', '-o', 'loop', image, folder)
  let isMounted = true
  const unmount = () => {
    if (isMounted) run('umount', folder)
    isMounted = false
  }
  return { folder, unmount }
}

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux') return 'Linux'
  if (process.getuid?.() !== 0) return 'the rights of root'
  if (!fs.existsSync('/dev/fuse') || !fs.existsSync('/dev/loop-control'))
    return 'fuse and loop devices'
  if (spawnSync('mkfs.ext4', ['-V']).status !== 0) return 'mkfs.ext4'
  return undefined
}
