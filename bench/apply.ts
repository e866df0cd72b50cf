// How fast is an apply that is durable and all or none? Beside it, in the same run: the same loop with a sync of each
// file and folder in turn, and `git apply`, which is neither durable nor all or none. And a large file with one changed
// line, beside a durable copy of it and two hashed reads.
//
// "The same loop" does for one file after the other what an apply does for all: reads and hashes the base, changes the
// lines, writes the new file and syncs it, keeps the old one in a checkpoint and syncs that folder, puts the new one in
// place and syncs its folder, reads back and hashes. It has no journal, because nothing in it is all or none. A loop that
// keeps no checkpoint and reads nothing back (`bare`) is shown beside it, and has no limit; nor has the least that the
// contract's system calls and hashes cost (`least`; Linux only), which says how much of an apply is ours to save.
//
// Each contender has a process of its own, they take turns, and 30 rounds of each come before those that count. Until lately
// all ran in one process, each its rounds in a row after one that did not count, ours first: it paid for what V8 had not
// compiled yet, and the others found the making of the content compiled.
//
//   node bench/run.mjs apply [--check] [--rounds N] [--only lines|large]
import { execFileSync, fork, spawnSync } from 'node:child_process'
import { createHash, hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  type ApplyPorts,
  apply,
  createApplyJournal,
  createCheckpointStore,
  openDiskFolder,
  openDiskWorkspace,
  sha256OfContent,
} from '@filewright/client/apply'
import { applyFilePatch, type LineChange } from '@filewright/documents/text'
import {
  type ChangeSet,
  type FileChange,
  type RelativePath,
  type Sha256,
  toBytes,
  toDocPath,
  unwrap,
} from '@filewright/protocol'
import { timeLeast } from './apply-least.ts'

const FILES = 100
const LINES = 1000
const CHANGES_PER_FILE = 10
const LARGE_BYTES = 100 * 1024 * 1024
const LIMITS = { toSynced: 0.5, toGit: 3, toCopy: 1.5, peakBeyondSizeMb: 100 }

const CONTENTS = Array.from({ length: FILES }, (_, n) => Buffer.from(fileLines(n).join('\n')))
const CHANGES = Array.from({ length: FILES }, (_, n) => changesOf(n))

type Contender = (root: string, round: number) => Turn | Promise<Turn>

interface Turn {
  readonly ms: number
  /** Of that, reading and making the new content. */
  readonly contentMs?: number
}

const CONTENDERS: Readonly<Record<string, Contender>> = {
  ours: timeOurs,
  synced: root => ({ ms: timeSynced(root) }),
  least: async root => ({ ms: await timeLeast(root, changedFiles()) }),
  bare: root => ({ ms: timeBare(root) }),
  git: root => ({ ms: timeGit(root) }),
}
/** The two that free inodes come last: a disk may look over what was freed a moment ago, and nobody should pay for that. */
const GROUPS = [
  { warmUp: 30, names: ['ours', 'synced', ...(process.platform === 'linux' ? ['least'] : [])] },
  { warmUp: 3, names: ['bare', 'git'] },
]

const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 9
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
const [contender, givenScratch] = args.includes('--contender')
  ? args.slice(args.indexOf('--contender') + 1)
  : []
const scratch = givenScratch ?? makeScratch()

if (args.includes('--large-child')) await measureLargeHere()
else if (contender) serveTurns(CONTENDERS[contender]!)
else await main()

async function main(): Promise<void> {
  const figures = {
    ...(only !== 'large' && (await benchLines())),
    ...(only !== 'lines' && (await benchLarge())),
  }
  console.log(JSON.stringify(figures))
  const failures = findFailures(figures)
  for (const line of failures) console.error(`beyond the limit: ${line}`)
  if (args.includes('--check') && failures.length > 0) process.exitCode = 1
}

type Figures = Partial<
  Awaited<ReturnType<typeof benchLines>> & Awaited<ReturnType<typeof benchLarge>>
>

function findFailures({ lines, large }: Figures): string[] {
  const failures: string[] = []
  if (lines && lines.toSynced > LIMITS.toSynced)
    failures.push(`lines / synced in turn ${lines.toSynced}`)
  if (lines && lines.toGit > LIMITS.toGit) failures.push(`lines / git apply ${lines.toGit}`)
  if (large && large.toCopy > LIMITS.toCopy)
    failures.push(`large / copy and two hashes ${large.toCopy}`)
  if (large && large.peakMb > LARGE_BYTES / 2 ** 20 + LIMITS.peakBeyondSizeMb)
    failures.push(`large, peak memory ${large.peakMb} MB`)
  return failures
}

/**
 * The contenders take turns, each one first as often as the others, and each in a process of its own: so nobody pays for
 * what another one threw away, and nobody runs what another one made V8 compile. It compiles late what is hot, and a
 * server runs for days: so the first rounds do not count.
 */
async function benchLines() {
  const roots = GROUPS.flatMap(({ warmUp, names }) =>
    Array.from({ length: (warmUp + rounds) * names.length }, freshFiles),
  )
  if (process.platform !== 'win32') execFileSync('sync')
  await setTimeout(2500) // files that nobody touched for a while, as most are
  const taken: Record<string, Turn[]> = {}
  for (const { warmUp, names } of GROUPS) {
    const players = names.map(name => ({ name, ...startContender(name) }))
    for (let round = 0; round < warmUp + rounds; round++)
      for (const { name, time } of inTurn(players, round)) {
        const turn = await time(roots.pop()!, round)
        if (round >= warmUp) (taken[name] ??= []).push(turn)
      }
    for (const { stop } of players) stop()
  }
  const msOf = (name: string) => (taken[name] ?? [{ ms: 0 }]).map(({ ms }) => ms)
  const [ours, synced, bare, git, least] = ['ours', 'synced', 'bare', 'git', 'least'].map(msOf) as [
    number[],
    number[],
    number[],
    number[],
    number[],
  ]
  const phases = taken.ours!.map(({ contentMs }) => contentMs!)
  const [ms, syncedMs, bareMs, gitMs, leastMs] = [ours, synced, bare, git, least].map(taken =>
    median(taken),
  ) as [number, number, number, number, number]
  const lines = {
    /** What the disk asks for one sync: where it is little, a loop that syncs in turn loses little. */
    syncMs: round2(timeSync()),
    ms: round1(ms),
    contentMs: round1(median(phases)),
    syncedMs: round1(syncedMs),
    bareMs: round1(bareMs),
    gitMs: round1(gitMs),
    leastMs: round1(leastMs),
    toSynced: round2(ms / syncedMs),
    leastToSynced: round2(leastMs / syncedMs),
    toBare: round2(ms / bareMs),
    toGit: round2(ms / gitMs),
    best: {
      ms: round1(Math.min(...ours)),
      syncedMs: round1(Math.min(...synced)),
      bareMs: round1(Math.min(...bare)),
      gitMs: round1(Math.min(...git)),
      leastMs: round1(Math.min(...least)),
    },
  }
  console.error(
    `1,000 line changes over 100 files (one sync takes ${lines.syncMs} ms): ${lines.ms} ms (${lines.contentMs} of it reading and making the new content), the same loop synced in turn ${lines.syncedMs} ms (× ${lines.toSynced}), a bare one ${lines.bareMs} ms (× ${lines.toBare}), git apply ${lines.gitMs} ms (× ${lines.toGit}); the least that the contract's system calls and hashes cost ${lines.leastMs} ms, ${lines.leastToSynced} of the loop`,
  )
  return { lines }
}

function startContender(name: string) {
  const child = fork(process.argv[1]!, ['--contender', name, scratch])
  return {
    async time(root: string, round: number): Promise<Turn> {
      child.send({ root, round })
      const [turn] = await once(child, 'message')
      return turn as Turn
    },
    stop: () => child.disconnect(),
  }
}

function serveTurns(time: Contender): void {
  process.on('message', async ({ root, round }: { root: string; round: number }) => {
    process.send!(await time(root, round))
  })
}

function inTurn<Item>(items: readonly Item[], round: number): Item[] {
  const first = round % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/** Reads, checks and applies the line changes, then the change set; as `workspace_write_patch` does. */
async function timeOurs(root: string, round: number): Promise<Turn> {
  const ports = await openPorts(root)
  const started = performance.now()
  const files: FileChange[] = []
  for (let n = 0; n < FILES; n++) {
    const read = unwrap(await ports.workspace.read(fileName(n)))
    const { content } = unwrap(applyFilePatch(read.bytes, { changes: CHANGES[n]! }))
    const { docPath, path: spelling } = read
    const sha256 = sha256OfContent(content, read.bytes)
    files.push({ docPath, path: spelling, base: read.sha256, content, sha256 })
  }
  const contentMs = performance.now() - started
  unwrap(await apply({ id: `cs_${round}`, files } as unknown as ChangeSet, ports))
  return { ms: performance.now() - started, contentMs }
}

function timeSynced(root: string): number {
  const kept = `${root}-kept`
  fs.mkdirSync(kept)
  return timeLoop(root, (file, after, sha256) => {
    writeDurably(file, after, () => {
      fs.linkSync(file, path.join(kept, path.basename(file)))
      syncPath(kept)
    })
    if (sha256Of(fs.readFileSync(file)) !== sha256) throw new Error('spoilt')
  })
}

function timeBare(root: string): number {
  return timeLoop(root, (file, after) => writeDurably(file, after))
}

function timeLoop(root: string, write: (file: string, after: Uint8Array, sha256: string) => void) {
  const started = performance.now()
  for (let n = 0; n < FILES; n++) {
    const file = path.join(root, fileName(n))
    const bytes = fs.readFileSync(file)
    sha256Of(bytes)
    const { content } = unwrap(applyFilePatch(bytes, { changes: CHANGES[n]! }))
    const after = toBytes(content, bytes)
    write(file, after, sha256Of(after))
  }
  return performance.now() - started
}

function timeGit(root: string): number {
  const diff = path.join(scratch, 'all.diff')
  if (!fs.existsSync(diff)) fs.writeFileSync(diff, toDiff())
  const started = performance.now()
  execFileSync('git', ['apply', diff], { cwd: root, stdio: 'ignore' })
  return performance.now() - started
}

function timeSync(): number {
  const file = path.join(scratch, 'sync')
  const fd = fs.openSync(file, 'w')
  const taken = Array.from({ length: 50 }, () => {
    fs.writeSync(fd, 'x'.repeat(30_000))
    const started = performance.now()
    fs.fsyncSync(fd)
    return performance.now() - started
  })
  fs.closeSync(fd)
  return median(taken)
}

/** Each round in a process of its own, for its peak of memory; both contenders in the same, by turns the first. */
async function benchLarge() {
  const taken = { ours: [] as number[], copy: [] as number[] }
  let peakMb = 0
  for (let round = 0; round <= Math.min(rounds, 7); round++) {
    const child = spawnSync(
      process.execPath,
      [...process.execArgv, process.argv[1]!, '--large-child', largeFile(), String(round % 2)],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const measured = JSON.parse(child.stdout) as { ms: number; copyMs: number; peakMb: number }
    if (round === 0) continue // warm-up
    taken.ours.push(measured.ms)
    taken.copy.push(measured.copyMs)
    peakMb = Math.max(peakMb, measured.peakMb)
  }
  const [ours, copy] = [median(taken.ours), median(taken.copy)]
  const large = {
    ms: round1(ours),
    copyMs: round1(copy),
    toCopy: round2(ours / copy),
    peakMb: Math.round(peakMb),
    best: { ms: round1(Math.min(...taken.ours)), copyMs: round1(Math.min(...taken.copy)) },
  }
  console.error(
    `one line of a 100 MB file: ${large.ms} ms, durable copy and two hashed reads ${large.copyMs} ms (× ${large.toCopy}), peak ${large.peakMb} MB`,
  )
  return { large }
}

async function measureLargeHere(): Promise<void> {
  const [source, isCopyFirst] = args.slice(args.indexOf('--large-child') + 1)
  const root = path.join(scratch, 'large')
  fs.mkdirSync(root)
  fs.copyFileSync(source!, path.join(root, 'large.txt'))
  syncPath(path.join(root, 'large.txt'))
  const ports = await openPorts(root)
  const { base, sha256, content } = largeChange(source!)
  await setTimeout(2500) // a file that nobody touched for a while, as most are
  const spelling = 'large.txt' as RelativePath
  const files: FileChange[] = [
    { docPath: toDocPath(spelling), path: spelling, base, content, sha256 },
  ]
  let copyMs = isCopyFirst === '1' ? timeCopyAndHashes(source!) : 0
  const ms = await timed(async () => {
    unwrap(await apply({ id: 'cs_large', files } as unknown as ChangeSet, ports))
  })
  copyMs ||= timeCopyAndHashes(source!)
  console.log(JSON.stringify({ ms, copyMs, peakMb: process.resourceUsage().maxRSS / 1024 }))
}

/** The change set of one line in the middle, hashed in pieces so that it does not count in the peak. */
function largeChange(source: string) {
  const start = LARGE_BYTES / 2
  const inserted = Buffer.from('this line is new\n')
  const [before, after] = [createHash('sha256'), createHash('sha256')]
  const fd = fs.openSync(source, 'r')
  const piece = Buffer.alloc(1024 * 1024)
  let at = 0
  for (let read = 0; (read = fs.readSync(fd, piece)) > 0; at += read) {
    if (at === start) after.update(inserted)
    before.update(piece.subarray(0, read))
    after.update(piece.subarray(at === start ? inserted.length : 0, read))
  }
  fs.closeSync(fd)
  const content = [
    { from: 'base', start: 0, end: start },
    { from: 'inline', bytes: inserted },
    { from: 'base', start: start + inserted.length, end: at },
  ] as const
  return {
    base: before.digest('hex') as Sha256,
    sha256: after.digest('hex') as Sha256,
    content,
  }
}

function timeCopyAndHashes(source: string): number {
  const copy = path.join(scratch, 'copy')
  const started = performance.now()
  const from = fs.openSync(source, 'r')
  const to = fs.openSync(copy, 'w')
  const piece = Buffer.alloc(1024 * 1024)
  for (let read = 0; (read = fs.readSync(from, piece)) > 0; ) fs.writeSync(to, piece, 0, read)
  fs.fsyncSync(to)
  fs.closeSync(to)
  fs.closeSync(from)
  syncPath(scratch)
  for (let n = 0; n < 2; n++) {
    const hash = createHash('sha256')
    const fd = fs.openSync(copy, 'r')
    for (let read = 0; (read = fs.readSync(fd, piece)) > 0; ) hash.update(piece.subarray(0, read))
    fs.closeSync(fd)
    hash.digest('hex')
  }
  const ms = performance.now() - started
  fs.rmSync(copy)
  return ms
}

function largeFile(): string {
  const file = path.join(scratch, 'large-source')
  if (fs.existsSync(file)) return file
  const line = Buffer.from(`${'the quick brown fox jumps over it'.padEnd(63, '.')}\n`)
  const fd = fs.openSync(file, 'w')
  const piece = Buffer.alloc(1024 * 1024, line)
  for (let at = 0; at < LARGE_BYTES; at += piece.length) fs.writeSync(fd, piece)
  fs.fsyncSync(fd)
  fs.closeSync(fd)
  return file
}

/**
 * Where making files is quickest. ext4 passes over inodes that were freed in the last minutes one by one; where much
 * was deleted lately, every contender would measure little else.
 */
function findQuickPlace(): string {
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

function makeScratch(): string {
  const made = fs.mkdtempSync(path.join(findQuickPlace(), 'filewright-bench-'))
  process.on('exit', () => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

function freshFiles(): string {
  const root = fs.mkdtempSync(path.join(scratch, 'files-'))
  for (let n = 0; n < FILES; n++) fs.writeFileSync(path.join(root, fileName(n)), CONTENTS[n]!)
  return root
}

function fileName(n: number): string {
  return `file${n}.ts`
}

function fileLines(n: number): string[] {
  const lines = Array.from(
    { length: LINES },
    (_, line) => `const value${line} = ${n * line} // ${n}`,
  )
  return [...lines, '']
}

function changesOf(n: number): LineChange[] {
  return Array.from({ length: CHANGES_PER_FILE }, (_, index) => {
    const startLine = 50 + index * 90
    return {
      operation: 'replace',
      startLine,
      endLine: startLine,
      expectedOriginalLines: [`const value${startLine - 1} = ${n * (startLine - 1)} // ${n}`],
      newLines: [`const value${startLine - 1} = "changed" // ${n}`],
    } satisfies LineChange
  })
}

function changedFiles() {
  return Array.from({ length: FILES }, (_, n) => ({ name: fileName(n), changes: CHANGES[n]! }))
}

function toDiff(): string {
  let diff = ''
  for (let n = 0; n < FILES; n++) {
    const lines = fileLines(n)
    diff += `--- a/${fileName(n)}\n+++ b/${fileName(n)}\n`
    for (const change of CHANGES[n]!) {
      if (change.operation !== 'replace') continue
      const first = change.startLine - 3
      diff += `@@ -${first},7 +${first},7 @@\n`
      for (let line = first; line < first + 7; line++)
        diff +=
          line === change.startLine
            ? `-${lines[line - 1]}\n+${change.newLines[0]}\n`
            : ` ${lines[line - 1]}\n`
    }
  }
  return diff
}

async function openPorts(root: string): Promise<ApplyPorts> {
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

function writeDurably(file: string, bytes: Uint8Array, keepOld?: () => void): void {
  const temp = `${file}.tmp`
  const fd = fs.openSync(temp, 'w')
  fs.writeSync(fd, bytes)
  fs.fsyncSync(fd)
  fs.closeSync(fd)
  keepOld?.()
  fs.renameSync(temp, file)
  syncPath(path.dirname(file))
}

function sha256Of(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

function syncPath(file: string): void {
  const fd = fs.openSync(file, 'r')
  fs.fsyncSync(fd)
  fs.closeSync(fd)
}

async function timed(step: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await step()
  return performance.now() - started
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
