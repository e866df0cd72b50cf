// How fast is an apply that is durable and all or none? Next to it, in the same run: the same loop with a sync of each
// file and folder in turn, and `git apply`, which is neither durable nor all or none. And a large file with one changed
// line, next to a durable copy of it and two hashed reads.
//
// "The same loop" does for one file after the other what an apply does for all: reads and hashes the base, changes the
// lines, writes the new file and syncs it, keeps the old one in a checkpoint and syncs that folder, puts the new one in
// place and syncs its folder, reads back and hashes. It has no journal, because nothing in it is all or none. A loop that
// keeps no checkpoint and reads nothing back (`bare`) is shown next to it, and has no limit; nor has the minimum
// of the contract's system calls and hashes (`least`; Linux only), which shows how much of an apply we could save.
//
// Each contender has a process of its own, they take turns, and the first 30 rounds of each do not count. In one shared
// process the first contender would pay for what V8 has not compiled yet.
//
//   node bench/run.mjs apply [--check] [--rounds N] [--only lines|large] [--in FOLDER]
import { execFileSync, fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { apply, sha256OfContent } from '@filewright/client/apply'
import { applyFilePatch, type LineChange } from '@filewright/documents/text'
import { type ChangeSet, type FileChange, toBytes, unwrap } from '@filewright/protocol'
import { describeDisk, findQuickPlace, openPorts, syncPath } from './apply-disk.ts'
import { benchLarge, LARGE_BYTES, measureLargeHere } from './apply-large.ts'
import { timeLeast } from './apply-least.ts'
import { median, round1, round2 } from './figures.ts'

const FILES = 100
const LINES = 1000
const CHANGES_PER_FILE = 10
const LIMITS = { toSynced: 0.5, toGit: 3, toCopy: 1.5, peakBeyondSizeMb: 100 }

const CONTENTS = Array.from({ length: FILES }, (_, n) => Buffer.from(fileLines(n).join('\n')))
const CHANGES = Array.from({ length: FILES }, (_, n) => changesOf(n))

type Contender = (root: string, round: number) => Turn | Promise<Turn>

interface Turn {
  readonly ms: number
  /** The part of it that reads and builds the new content. */
  readonly contentMs?: number
}

const CONTENDERS: Readonly<Record<string, Contender>> = {
  ours: timeOurs,
  synced: root => ({ ms: timeSynced(root) }),
  least: async root => ({ ms: await timeLeast(root, changedFiles()) }),
  bare: root => ({ ms: timeBare(root) }),
  git: root => ({ ms: timeGit(root) }),
}
/** The two that free inodes come last: a disk may scan recently freed inodes, and no contender should pay for that. */
const GROUPS = [
  { warmUp: 30, names: ['ours', 'synced', ...(process.platform === 'linux' ? ['least'] : [])] },
  { warmUp: 3, names: ['bare', 'git'] },
]

const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 9
const [only] = valuesAfter('--only')
const [contender, givenScratch] = valuesAfter('--contender')
const [largeScratch, largeSource, isCopyFirst] = valuesAfter('--large-child')
const scratch = givenScratch ?? largeScratch ?? makeScratch()

if (largeSource) await measureLargeHere(scratch, largeSource, isCopyFirst === '1')
else if (contender) serveTurns(CONTENDERS[contender]!)
else await main()

function valuesAfter(flag: string): string[] {
  return args.includes(flag) ? args.slice(args.indexOf(flag) + 1) : []
}

async function main(): Promise<void> {
  const figures = {
    ...(only !== 'large' && (await benchLines())),
    ...(only !== 'lines' && (await benchLarge(rounds, scratch))),
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
  await setTimeout(2500) // like most files, not touched for a while
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
    disk: describeDisk(scratch),
    /** The cost of one sync: where it is low, a loop that syncs one by one loses little. */
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
    `1,000 line changes over 100 files (${lines.disk ? `${lines.disk}, ` : ''}one sync takes ${lines.syncMs} ms): ${lines.ms} ms (${lines.contentMs} of it reading and making the new content), the same loop synced in turn ${lines.syncedMs} ms (× ${lines.toSynced}), a bare one ${lines.bareMs} ms (× ${lines.toBare}), git apply ${lines.gitMs} ms (× ${lines.toGit}); the least that the contract's system calls and hashes cost ${lines.leastMs} ms, ${lines.leastToSynced} of the loop`,
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

function makeScratch(): string {
  const [place = findQuickPlace()] = valuesAfter('--in')
  const made = fs.mkdtempSync(path.join(place, 'filewright-bench-'))
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
