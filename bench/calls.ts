// How many calls a second does `filewright call --lines` answer? Beside it, in the same run and interleaved, the MCP
// reference file server over stdio doing the same, driven in the same way: one call in flight, which the goals are about,
// and then 16. Ours keeps a log and writes durably into a draft; theirs does not. The floor is a bare Node process that
// reads the file, hashes it and prints one line of JSON; for a write it hashes the text, appends it to a log as JSON and
// waits for the disk: about what nobody behind this driver can be quicker than.
//
//   node bench/run.mjs calls [--check] [--rounds N]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PEER = '@modelcontextprotocol/server-filesystem@2026.8.31'
const ROOT = process.cwd()
const BIN = join(ROOT, 'apps/cli/bin/filewright.cjs')

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 3) || 3
const work = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
const folder = join(work, 'ws')
mkdirSync(folder)
const text = (size: number) => {
  let all = ''
  for (let i = 0; all.length < size; i++)
    all += `  const value_${i} = compute(${(i * 7919) % 99991}, "${i.toString(36)}");\n`
  return all.slice(0, size)
}
writeFileSync(join(folder, 'r10k.txt'), text(10_240))
writeFileSync(join(folder, 'r1m.txt'), text(1_048_576))

/** One JSON line in, one out. */
interface Peer {
  ask(request: unknown): Promise<string>
  close(): void
}

function peerOn(child: ChildProcess): Peer {
  const waiting: ((line: string) => void)[] = []
  const parts: Buffer[] = []
  child.stdout!.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      waiting.shift()?.(Buffer.concat(parts.splice(0)).toString())
      from = end + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  })
  return {
    ask: request =>
      new Promise(resolve => {
        waiting.push(resolve)
        child.stdin!.write(`${JSON.stringify(request)}\n`)
      }),
    close: () => child.kill(),
  }
}

function startOurs(): Peer & { call(tool: string, args: unknown): Promise<string> } {
  const env = { ...process.env, FILEWRIGHT_STATE: join(work, 'state') }
  const peer = peerOn(
    spawn(process.execPath, [BIN, 'call', '--lines', '-C', folder], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
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

function startFloor(): Peer & { call(tool: string, args: unknown): Promise<string> } {
  const options = { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit'] }
  const log = join(work, 'floor.log')
  const peer = peerOn(spawn(process.execPath, ['-e', FLOOR, log], options))
  return { ...peer, call: (tool, args) => peer.ask({ tool, arguments: args }) }
}

async function startTheirs(): Promise<
  Peer & { call(tool: string, args: unknown): Promise<string> }
> {
  const cache = join(ROOT, '.filewright-cache/peers/mcp-filesystem')
  const bin = join(cache, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  if (!existsSync(bin)) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', PEER], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const child = spawn(process.execPath, [bin, folder], { stdio: ['pipe', 'pipe', 'ignore'] })
  const peer = peerOn(child)
  let id = 0
  const send = (method: string, params: unknown) =>
    peer.ask({ jsonrpc: '2.0', id: ++id, method, params })
  await send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return { ...peer, call: (tool, args) => send('tools/call', { name: tool, arguments: args }) }
}

interface Figure {
  readonly name: string
  /** The rate of a process that has been at work: V8 compiles what is hot after some thousand calls, on either side. */
  readonly warmUp: number
  readonly count: number
  readonly atLeast: number
  readonly ours: (i: number) => [string, unknown]
  readonly theirs: (i: number) => [string, unknown]
}

const content = text(10_240)
const FIGURES: readonly Figure[] = [
  {
    name: 'read 10 KB',
    warmUp: 4000,
    count: 800,
    atLeast: 3,
    ours: () => ['workspace_read_file', { path: 'r10k.txt' }],
    theirs: () => ['read_text_file', { path: join(folder, 'r10k.txt') }],
  },
  {
    name: 'read 1 MB',
    warmUp: 60,
    count: 40,
    atLeast: 2,
    ours: () => ['workspace_read_file', { path: 'r1m.txt' }],
    theirs: () => ['read_text_file', { path: join(folder, 'r1m.txt') }],
  },
  {
    name: 'write 10 KB',
    warmUp: 4000,
    count: 800,
    atLeast: 2,
    ours: i => ['write_text_file', { path: `w${i % 10}.txt`, content: `${i}\n${content}` }],
    theirs: i => [
      'write_file',
      { path: join(folder, `t${i % 10}.txt`), content: `${i}\n${content}` },
    ],
  },
]

const DEPTHS = [1, 16]
type Rates = { ours: number[]; theirs: number[]; floor: number[] }
const rates = new Map<string, Rates>()
for (const depth of DEPTHS)
  for (const { name } of FIGURES) rates.set(`${name} ${depth}`, { ours: [], theirs: [], floor: [] })
for (let round = 0; round < rounds; round++) {
  rmSync(join(work, 'state'), { recursive: true, force: true })
  const [ours, theirs, floor] = [startOurs(), await startTheirs(), startFloor()]
  for (const depth of DEPTHS)
    for (const figure of FIGURES) {
      const own = rates.get(`${figure.name} ${depth}`)!
      for (const [peer, toCall, list] of [
        [ours, figure.ours, own.ours],
        [theirs, figure.theirs, own.theirs],
        [floor, figure.ours, own.floor],
      ] as const) {
        for (let i = 0; i < figure.warmUp; i++) await peer.call(...toCall(i))
        const start = performance.now()
        let next = 0
        const ask = async () => {
          while (next < figure.count) {
            const answer = await peer.call(...toCall(next++))
            if (answer.includes('"success":false') || answer.includes('"isError":true'))
              throw new Error(answer.slice(0, 400))
          }
        }
        await Promise.all(Array.from({ length: depth }, ask))
        list.push((figure.count / (performance.now() - start)) * 1000)
      }
    }
  for (const peer of [ours, theirs, floor]) peer.close()
}
rmSync(work, { recursive: true, force: true })

const median = (list: readonly number[]) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!
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
