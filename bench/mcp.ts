// How fast is `filewright mcp` over stdio, next to the MCP reference file server, in one run and interleaved? One call in flight:
// calls a second, and the time of a call at the median and at the 99th percentile. Ours keeps a log, and writes durably into a
// draft that a person reviews; theirs writes the file. The goal is about reads; writes are reported.
//
//   node bench/run.mjs mcp [--check] [--rounds N]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.ts'
import {
  BIN,
  type LineServer,
  overMcp,
  PEER,
  startPeer,
  startReference,
  textOf,
} from './line-peers.ts'

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 3) || 3
const work = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
const folder = join(work, 'ws')
mkdirSync(folder)
const content = textOf(10_240)
for (const name of ['r.txt', 'ours.txt', 'theirs.txt'])
  writeFileSync(join(folder, name), `count 0\n${content}`)

type Call = [tool: string, args: unknown]

interface Figure {
  readonly name: string
  readonly atLeast?: number
  readonly ours: (i: number) => Call
  readonly theirs: (i: number) => Call
}

/** From one number to the next, whatever the turn. */
const edits = { ours: 0, theirs: 0 }
const FIGURES: readonly Figure[] = [
  {
    name: 'read 10 KB',
    atLeast: 2,
    ours: () => ['read_file', { path: 'r.txt' }],
    theirs: () => ['read_text_file', { path: join(folder, 'r.txt') }],
  },
  {
    name: 'patch 10 KB',
    ours: () => {
      const edit = { search: `count ${edits.ours}\n`, replace: `count ${++edits.ours}\n` }
      return ['edit_text_file', { path: 'ours.txt', edits: [edit] }]
    },
    theirs: () => {
      const edit = { oldText: `count ${edits.theirs}\n`, newText: `count ${++edits.theirs}\n` }
      return ['edit_file', { path: join(folder, 'theirs.txt'), edits: [edit] }]
    },
  },
  {
    name: 'write 10 KB',
    ours: i => ['write_text_file', { path: `w${i % 10}.txt`, content: `${i}\n${content}` }],
    theirs: i => [
      'write_file',
      { path: join(folder, `t${i % 10}.txt`), content: `${i}\n${content}` },
    ],
  },
]

const WARM_UP = 1_000
const TURNS = 12
const CALLS = 40 // a turn
const times = new Map(
  FIGURES.map(({ name }) => [name, { ours: [] as number[], theirs: [] as number[] }]),
)
const ratios = new Map(FIGURES.map(({ name }) => [name, [] as number[]]))
for (let round = 0; round < rounds; round++) {
  const env = { ...process.env, FILEWRIGHT_STATE: join(work, `state${round}`) }
  const ours = overMcp(startPeer(work, [BIN, 'mcp', folder], { env }))
  const theirs = startReference(work, folder)
  edits.ours = 0 // a new state has a new draft
  for (const figure of FIGURES) {
    const own = times.get(figure.name)!
    const contenders = [
      [ours, figure.ours, own.ours],
      [theirs, figure.theirs, own.theirs],
    ] as const
    for (const [server, toCall] of contenders) run(server, toCall, WARM_UP)
    for (let turn = 0; turn < TURNS; turn++) {
      const [mine, other] = contenders.map(([server, toCall, list]) => {
        const taken = run(server, toCall, CALLS)
        list.push(...taken)
        return taken.reduce((sum, ms) => sum + ms, 0)
      }) as [number, number]
      ratios.get(figure.name)!.push(other / mine)
    }
  }
  ours.close()
  theirs.close()
}
rmSync(work, { recursive: true, force: true, maxRetries: 20 })

/** The time of each call, in milliseconds. */
function run(server: LineServer, toCall: Figure['ours'], count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const call = toCall(i)
    const start = performance.now()
    server.call(...call)
    const answer = server.answer()
    const ms = performance.now() - start
    if (answer.includes('"isError":true') || answer.includes('"error":{')) throw new Error(answer)
    return ms
  })
}

const results = FIGURES.map(({ name, atLeast }) => {
  const { ours, theirs } = times.get(name)!
  return {
    name,
    ours: figuresOf(ours),
    theirs: figuresOf(theirs),
    ratio: Number(median(ratios.get(name)!).toFixed(2)),
    ...(atLeast && { atLeast }),
  }
})

function figuresOf(list: readonly number[]) {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (share: number) => Number(sorted[Math.floor(sorted.length * share)]!.toFixed(2))
  const perSecond = Math.round((list.length / list.reduce((sum, ms) => sum + ms, 0)) * 1000)
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

console.log(JSON.stringify({ bench: 'mcp', peer: PEER, rounds, results }))
for (const { name, ours, theirs, ratio, atLeast } of results)
  console.log(
    `${name}: ${ours.perSecond}/s (p50 ${ours.p50} ms, p99 ${ours.p99} ms) against ${theirs.perSecond}/s (p50 ${theirs.p50} ms, p99 ${theirs.p99} ms), ${ratio} ×${atLeast ? ` (goal ≥ ${atLeast} ×)` : ''}`,
  )
if (process.argv.includes('--check') && results.some(({ ratio, atLeast = 0 }) => ratio < atLeast))
  process.exit(1)
