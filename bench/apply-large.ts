// One line of a large file, next to a durable copy of the file and two hashed reads of it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { apply } from '@filewright/client/apply'
import {
  type ChangeSet,
  type FileChange,
  type RelativePath,
  type Sha256,
  toDocPath,
  unwrap,
} from '@filewright/protocol'
import { openPorts, syncPath } from './apply-disk.ts'
import { median, round1, round2 } from './figures.ts'

export const LARGE_BYTES = 100 * 1024 * 1024

/** Each round has its own process, to measure peak memory; it runs both contenders, which alternate in going first. */
export async function benchLarge(rounds: number, scratch: string) {
  const taken = { ours: [] as number[], copy: [] as number[] }
  let peakMb = 0
  for (let round = 0; round <= Math.min(rounds, 7); round++) {
    const child = spawnSync(
      process.execPath,
      [
        ...process.execArgv,
        process.argv[1]!,
        '--large-child',
        scratch,
        largeFile(scratch),
        String(round % 2),
      ],
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

/** In a process of its own. */
export async function measureLargeHere(
  scratch: string,
  source: string,
  isCopyFirst: boolean,
): Promise<void> {
  const root = fs.mkdtempSync(path.join(scratch, 'large-'))
  fs.copyFileSync(source, path.join(root, 'large.txt'))
  syncPath(path.join(root, 'large.txt'))
  const ports = await openPorts(root)
  const { base, sha256, content } = largeChange(source)
  await setTimeout(2500) // like most files, not touched for a while
  const spelling = 'large.txt' as RelativePath
  const files: FileChange[] = [
    { docPath: toDocPath(spelling), path: spelling, base, content, sha256 },
  ]
  let copyMs = isCopyFirst ? timeCopyAndHashes(scratch, source) : 0
  const started = performance.now()
  unwrap(await apply({ id: 'cs_large', files } as unknown as ChangeSet, ports))
  const ms = performance.now() - started
  copyMs ||= timeCopyAndHashes(scratch, source)
  fs.rmSync(root, { recursive: true })
  fs.rmSync(`${root}-state`, { recursive: true })
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

function timeCopyAndHashes(scratch: string, source: string): number {
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

function largeFile(scratch: string): string {
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
