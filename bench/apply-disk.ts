import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  type ApplyPorts,
  createApplyJournal,
  createCheckpointStore,
  openDiskFolder,
  openDiskWorkspace,
} from '@filewright/client/apply'
import { unwrap } from '@filewright/protocol'

/**
 * Where making files is quickest. ext4 passes over inodes that were freed in the last minutes one by one; where much
 * was deleted lately, every contender would measure little else.
 */
export function findQuickPlace(): string {
  const places = [os.tmpdir(), '/var/tmp', os.homedir()].filter(place => fs.existsSync(place))
  const times = places.map(place => {
    const folder = fs.mkdtempSync(path.join(place, 'filewright-probe-'))
    const started = performance.now()
    for (let n = 0; n < 200; n++) fs.closeSync(fs.openSync(path.join(folder, `${n}`), 'wx'))
    const ms = performance.now() - started
    fs.rmSync(folder, { recursive: true })
    return ms
  })
  return places[times.indexOf(Math.min(...times))]!
}

/** Its kind, and on ext4 whether it has a journal: without one a sync has no commit to share with others. Linux only. */
export function describeDisk(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const { dev } = fs.statSync(folder)
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
  const mounts = fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const fields = mounts.map(line => line.split(' ')).find(found => found[2] === `${major}:${minor}`)
  if (!fields) return undefined
  const [kind, device] = fields.slice(fields.indexOf('-') + 1) as [string, string]
  if (kind !== 'ext4') return kind
  const journals = fs.existsSync('/proc/fs/jbd2') ? fs.readdirSync('/proc/fs/jbd2') : []
  const hasJournal = journals.some(name => name.startsWith(`${path.basename(device)}-`))
  return `ext4 ${hasJournal ? 'with' : 'without'} a journal`
}

export async function openPorts(root: string): Promise<ApplyPorts> {
  const state = `${root}-state`
  fs.mkdirSync(path.join(state, 'checkpoints'), { recursive: true })
  return {
    workspace: unwrap(await openDiskWorkspace(root)),
    journal: createApplyJournal(openDiskFolder(state)),
    checkpoints: createCheckpointStore(openDiskFolder(path.join(state, 'checkpoints'))),
    now: Date.now,
    randomHex: digits => randomBytes(digits / 2).toString('hex'),
  }
}

export function syncPath(file: string): void {
  const fd = fs.openSync(file, 'r')
  fs.fsyncSync(fd)
  fs.closeSync(fd)
}
