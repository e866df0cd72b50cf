// How long does it take to open a folder of 10,000 files and list them all? Next to it, in the same run and interleaved,
// `find` with the size and time of each file. Ours also reads ignore rules and looks for names that fold to one.
//
//   node bench/run.mjs tree [--check] [--rounds N] [--files N]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import { median } from './figures.ts'

const AT_MOST = 3

const FILES = option('--files', 10_000)
const FOLDERS = FILES / 50
const rounds = option('--rounds', 7)
const root = mkdtempSync(join(tmpdir(), 'filewright-tree-'))
for (let i = 0; i < FILES; i++) {
  const folder = join(root, `area${i % 20}`, `part${i % FOLDERS}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `file${i}.ts`), `export const value = ${i}\n`)
}
writeFileSync(join(root, '.gitignore'), '*.log\nbuild/\n')

const ours: number[] = []
const theirs: number[] = []
for (let round = 0; round <= rounds; round++) {
  const findMs = timed(() =>
    execFileSync('find', [root, '-type', 'f', '-printf', '%s %T@ %p\n'], { maxBuffer: 1 << 26 }),
  )
  const start = performance.now()
  const workspace = unwrap(await openDiskWorkspace(root))
  let count = 0
  for await (const entry of workspace.list({ allowLarge: true })) if (entry.kind === 'file') count++
  const ourMs = performance.now() - start
  if (count !== FILES + 1) throw new Error(`${count} files were listed`)
  if (round === 0) continue // warm-up
  ours.push(ourMs)
  theirs.push(findMs)
}
rmSync(root, { recursive: true, force: true })

const ratio = Number(median(ours.map((ms, i) => ms / theirs[i]!)).toFixed(2))
console.log(
  JSON.stringify({
    bench: 'tree',
    files: FILES,
    oursMs: Math.round(median(ours)),
    findMs: Math.round(median(theirs)),
    ratio,
    atMost: AT_MOST,
  }),
)
console.log(
  `open and list ${FILES} files: ${Math.round(median(ours))} ms against ${Math.round(median(theirs))} ms for find, ${ratio} × (goal ≤ ${AT_MOST} ×)`,
)
if (process.argv.includes('--check') && ratio > AT_MOST) process.exit(1)

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return (at < 0 ? 0 : Number(process.argv[at + 1])) || otherwise
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
