// How many calls a second does `filewright call --lines` answer? Next to it, in the same run and interleaved, the MCP
// reference file server over stdio doing the same, driven in the same way: one call in flight, which the goals are about,
// and then 16. Ours keeps a log and writes durably into a draft; theirs does not. The floor is a bare Node process that
// reads the file, hashes it and prints one line of JSON; for a write it hashes the text, appends it to a log as JSON and
// waits for the disk: about the minimum that any server behind this driver can take.
//
// They take turns of some fifty calls, and the ratio is the median of all turns: the machine's speed changes within a second,
// and a contender with half a second to itself would be lucky or not.
//
// The driver writes a line and sleeps in `read` until the answer is there. One with an event loop adds 50 µs to
// every call, which hides the difference between the servers.
//
//   node bench/run.mjs calls [--check] [--rounds N]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.ts'
import { BIN, type LineServer, PEER, startPeer, startReference, textOf } from './line-peers.ts'

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 3) || 3
const work = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
const folder = join(work, 'ws')
mkdirSync(folder)
writeFileSync(join(folder, 'r10k.txt'), textOf(10_240))
writeFileSync(join(folder, 'r1m.txt'), textOf(1_048_576))

function startOurs(): LineServer {
  const env = { ...process.env, FILEWRIGHT_STATE: join(work, 'state') }
  const peer = startPeer(work, [BIN, 'call', '--lines', '-C', folder], { env })
  return { ...peer, call: (tool, args) => peer.ask({ tool, arguments: args }) }
}

const FLOOR = `
  const { fdatasyncSync, openSync, readFileSync, writeSync } = require('node:fs')
  const { hash } = require('node:crypto')
  const log = openSync(process.argv[1], 'w')
  const room = 16 * 1024 * 1024
  let at = writeSync(log, Buffer.alloc(room)) - room // a log that has room waits for the disk half as long
  let rest = ''
  const keep = file => {
    at += writeSync(log, JSON.stringify(file) + '\\n', at)
    fdatasyncSync(log)
    if (at > room / 2) at = 0
  }
  process.stdin.setEncoding('utf8').on('data', text => {
    rest += text
    for (let end = rest.indexOf('\\n'); end >= 0; end = rest.indexOf('\\n')) {
      const { path, content } = JSON.parse(rest.slice(0, end)).arguments
      rest = rest.slice(end + 1)
      const bytes = content === undefined ? readFileSync(path) : Buffer.from(content)
      const file = { path, sha256: hash('sha256', bytes), content: content ?? bytes.toString() }
      if (content !== undefined) keep(file)
      if (content !== undefined) delete file.content
      process.stdout.write(JSON.stringify({ id: null, result: { success: true, file } }) + '\\n')
    }
  })`

function startFloor(): LineServer {
  const peer = startPeer(work, ['-e', FLOOR, join(work, 'floor.log')], { cwd: folder })
  return { ...peer, call: (tool, args) => peer.ask({ tool, arguments: args }) }
}

interface Figure {
  readonly name: string
  /** The rate of a warm process: V8 compiles hot code after some thousand calls, on either side. */
  readonly warmUp: number
  /** Calls per turn. */
  readonly count: number
  readonly atLeast: number
  readonly ours: (i: number) => [string, unknown]
  readonly theirs: (i: number) => [string, unknown]
}

const content = textOf(10_240)
const FIGURES: readonly Figure[] = [
  {
    name: 'read 10 KB',
    warmUp: 4000,
    count: 50,
    atLeast: 3,
    ours: () => ['workspace_read_file', { path: 'r10k.txt' }],
    theirs: () => ['read_text_file', { path: join(folder, 'r10k.txt') }],
  },
  {
    name: 'read 1 MB',
    warmUp: 60,
    count: 4,
    atLeast: 2,
    ours: () => ['workspace_read_file', { path: 'r1m.txt' }],
    theirs: () => ['read_text_file', { path: join(folder, 'r1m.txt') }],
  },
  {
    name: 'write 10 KB',
    warmUp: 4000,
    count: 50,
    atLeast: 2,
    ours: i => ['write_text_file', { path: `w${i % 10}.txt`, content: `${i}\n${content}` }],
    theirs: i => [
      'write_file',
      { path: join(folder, `t${i % 10}.txt`), content: `${i}\n${content}` },
    ],
  },
]

const DEPTHS = [1, 16]
const TURNS = 16
type Rates = { ours: number[]; theirs: number[]; floor: number[] }
const rates = new Map<string, Rates>()
for (const depth of DEPTHS)
  for (const { name } of FIGURES) rates.set(`${name} ${depth}`, { ours: [], theirs: [], floor: [] })
for (let round = 0; round < rounds; round++) {
  rmSync(join(work, 'state'), { recursive: true, force: true })
  const [ours, theirs, floor] = [startOurs(), startReference(work, folder), startFloor()]
  for (const depth of DEPTHS)
    for (const figure of FIGURES) {
      const own = rates.get(`${figure.name} ${depth}`)!
      const contenders = [
        [ours, figure.ours, own.ours],
        [theirs, figure.theirs, own.theirs],
        [floor, figure.ours, own.floor],
      ] as const
      for (const [peer, toCall] of contenders) run(peer, toCall, figure.warmUp, 1)
      for (let turn = 0; turn < TURNS; turn++)
        for (const [peer, toCall, list] of contenders)
          list.push(rateOf(peer, toCall, figure, depth))
    }
  for (const peer of [ours, theirs, floor]) peer.close()
}
rmSync(work, { recursive: true, force: true })

function rateOf(
  peer: LineServer,
  toCall: Figure['ours'],
  { count }: Figure,
  inFlight: number,
): number {
  run(peer, toCall, Math.ceil(count / 10), inFlight) // refills the processor cache after the others' turns
  const start = performance.now()
  run(peer, toCall, count, inFlight)
  return (count / (performance.now() - start)) * 1000
}

function run(peer: LineServer, toCall: Figure['ours'], count: number, inFlight: number): void {
  let asked = 0
  while (asked < Math.min(inFlight, count)) peer.call(...toCall(asked++))
  for (let answered = 0; answered < count; answered++) {
    const answer = peer.answer()
    if (answer.includes('"success":false') || answer.includes('"isError":true'))
      throw new Error(answer)
    if (asked < count) peer.call(...toCall(asked++))
  }
}

const results = DEPTHS.flatMap(inFlight =>
  FIGURES.map(({ name, atLeast }) => {
    const { ours, theirs, floor } = rates.get(`${name} ${inFlight}`)!
    const ratios = ours.map((rate, i) => rate / theirs[i]!)
    return {
      name,
      inFlight,
      oursPerSecond: Math.round(median(ours)),
      theirsPerSecond: Math.round(median(theirs)),
      ratio: Number(median(ratios).toFixed(2)),
      floorPerSecond: Math.round(median(floor)),
      ...(inFlight === 1 && { atLeast }),
    }
  }),
)
console.log(JSON.stringify({ bench: 'calls', peer: PEER, rounds, results }))
for (const { name, inFlight, oursPerSecond, theirsPerSecond, ratio, ...rest } of results)
  console.log(
    `${name}, ${inFlight} in flight: ${oursPerSecond}/s against ${theirsPerSecond}/s, ${ratio} ×${rest.atLeast ? ` (goal ≥ ${rest.atLeast} ×)` : ''}, floor ${rest.floorPerSecond}/s`,
  )
if (
  process.argv.includes('--check') &&
  results.some(({ ratio, atLeast }) => ratio < (atLeast ?? 0))
)
  process.exit(1)
