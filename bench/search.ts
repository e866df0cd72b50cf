// How long does search_files take over a tree of 27 MB that it has searched before? Next to it, in the same run and
// interleaved, ripgrep on the same tree: exact text, text in any case, an expression. Ours answers through the command's
// pipe, with its checks and its log; ripgrep starts each time.
//
//   node bench/run.mjs search [--check] [--rounds N]      needs `rg` (Debian: ripgrep)
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { median, round1, round2 } from './figures.ts'

const TREE_BYTES = 27 * 1024 * 1024
const FILE_BYTES = 9 * 1024
const AT_MOST = 3

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 15) || 15
const work = mkdtempSync(join(tmpdir(), 'filewright-search-'))
const folder = join(work, 'ws')
const files = writeTree(folder)

const child = spawn(
  process.execPath,
  [join(process.cwd(), 'apps/cli/bin/filewright.cjs'), 'call', '--lines', '-C', folder],
  {
    env: { ...process.env, FILEWRIGHT_STATE: join(work, 'state') },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

const QUERIES = [
  { name: 'exact text', ours: { query: 'settleInvoice_77', case_sensitive: true }, rg: ['-F'] },
  { name: 'any case', ours: { query: 'SETTLEINVOICE_77' }, rg: ['-F', '-i'] },
  {
    name: 'expression',
    ours: { query: 'settleInvoice_7{2}\\(\\w+', regex: true, case_sensitive: true },
    rg: [],
  },
]

const figures = []
for (const { name, ours, rg } of QUERIES) {
  const args = [...rg, '-n', '--color=never', '-e', ours.query, folder]
  const [our, their]: [number[], number[]] = [[], []]
  for (let round = -3; round < rounds; round++) {
    const theirStart = performance.now()
    const found = spawnSync('rg', args, { encoding: 'utf8' }).stdout.split('\n').length - 1
    const theirMs = performance.now() - theirStart
    const ourStart = performance.now()
    child.stdin.write(
      `${JSON.stringify({ tool: 'search_files', arguments: { ...ours, limit: 1000 } })}\n`,
    )
    const { result } = JSON.parse((await answers.next()).value)
    const ourMs = performance.now() - ourStart
    if (result.hitCount !== found) throw new Error(`${name}: ${result.hitCount} hits, rg ${found}`)
    if (round < 0) continue // warm-up
    our.push(ourMs)
    their.push(theirMs)
  }
  const ratio = round2(median(our.map((ms, i) => ms / their[i]!)))
  figures.push({ name, oursMs: round1(median(our)), rgMs: round1(median(their)), ratio })
}
const ranked = await rank()
child.kill()
rmSync(work, { recursive: true, force: true })

console.log(
  JSON.stringify({
    bench: 'search',
    files,
    treeBytes: TREE_BYTES,
    figures,
    ranked,
    atMost: AT_MOST,
  }),
)
for (const { name, oursMs, rgMs, ratio } of figures)
  console.log(
    `${name}: ${oursMs} ms against ${rgMs} ms for ripgrep, ${ratio} × (goal ≤ ${AT_MOST} ×)`,
  )
console.log(
  `ranked: p50 ${ranked.oursMs} ms against ${ranked.ftsMs} ms for the bare FTS5 query over ${ranked.chunks} chunks, ${ranked.ratio} × (goal ≤ ${AT_MOST} ×)`,
)
if (process.argv.includes('--check') && figures[0]!.ratio > AT_MOST) process.exit(1)

/** The same words in FTS5 alone, on the index that our search made. */
async function rank() {
  const queries = [
    'settle the invoice of a customer',
    'price rate',
    'ledger_amount',
    'total order item',
  ]
  const ask = async (query: string) => {
    child.stdin.write(`${JSON.stringify({ tool: 'workspace_search', arguments: { query } })}\n`)
    return JSON.parse((await answers.next()).value).result
  }
  for (let unindexed = 1; unindexed > 0; ) ({ unindexed } = await ask('settle'))
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(join(work, 'state/filewright.db'))
  const bare = database.prepare(
    'select rowid, text from search_text where search_text match ? order by bm25(search_text) limit 10',
  )
  const [our, their]: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round++)
    for (const query of queries) {
      const words = query.split(/[ _]/).filter(word => !['the', 'of', 'a'].includes(word))
      const theirStart = performance.now()
      bare.all(words.map(word => `"${word}"`).join(' OR '))
      const theirMs = performance.now() - theirStart
      const ourStart = performance.now()
      await ask(query)
      const ourMs = performance.now() - ourStart
      if (round < 0) continue
      our.push(ourMs)
      their.push(theirMs)
    }
  const { chunks } = database.prepare('select count(*) as chunks from search_chunks').get() as {
    chunks: number
  }
  database.close()
  const ratio = round2(median(our.map((ms, i) => ms / their[i]!)))
  return { chunks, oursMs: round1(median(our)), ftsMs: round1(median(their)), ratio }
}

/** Source code as a generator imagines it: the same on every machine. */
function writeTree(root: string): number {
  const words = 'account invoice ledger amount settle total customer order item price rate'.split(
    ' ',
  )
  let seed = 1
  const draw = (most: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % most
  }
  let count = 0
  for (let written = 0; written < TREE_BYTES; written += FILE_BYTES, count++) {
    const at = join(root, `area${count % 20}`, `part${count % 200}`)
    mkdirSync(at, { recursive: true })
    let text = ''
    for (let line = 0; text.length < FILE_BYTES; line++) {
      const [a, b, c] = [words[draw(11)], words[draw(11)], words[draw(11)]]
      text +=
        line % 9 === 0
          ? `export function ${a}_${b}_${draw(9999)}(${c}: number) {\n`
          : `  const ${a}${draw(999)} = ${b}.${c}(${draw(99999)}, "${a} of ${c}") // ${b}\n`
    }
    if (count % 100 === 7) text += `export const found = settleInvoice_77(amount)\n`
    writeFileSync(join(at, `file${count}.ts`), text)
  }
  execFileSync('sync')
  return count
}
