// How soon does an interactive session show its prompt, next to `node -e 0` in the same run and interleaved? And what does it
// cost to show an answer of 200 deltas a second on a terminal of 120 × 40? Linux only: it reads /proc and needs script(1).
//
//   node bench/run.mjs terminal [--check] [--rounds N] [--seconds N]
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median, round1, round2 } from './figures.ts'

const AT_MOST_STARTS = 4
const AT_MOST_CPU = 0.15
const DELTAS_PER_SECOND = 200
const TICKS_PER_SECOND = 100 // of /proc; the same on every Linux that Node runs on
const READY = '/help helps' // the last line before the prompt
const MOST_MS = 60_000 // what it waits for is not said any more
const FULL_REPAINT = /\x1b\[[23]J|\x1b\[H|\x1b\[1;1H|\x1bc/g

const rounds = option('--rounds', 9)
const seconds = option('--seconds', 60)
const bin = resolve('apps/cli/bin/filewright.cjs')
const root = mkdtempSync(join(tmpdir(), 'filewright-terminal-'))
const dir = join(root, 'workspace')
mkdirSync(dir)
writeFileSync(join(dir, 'a.txt'), 'one\n')
const model = await startModel()
const env = {
  PATH: process.env.PATH ?? '',
  HOME: root,
  TERM: 'xterm-256color',
  FILEWRIGHT_STATE: join(root, 'state'),
  FILEWRIGHT_BASE_URL: model.baseUrl,
  FILEWRIGHT_MODEL: 'fake',
}
const owner = spawn(process.execPath, [bin, 'serve', '-C', dir, '--port', '0'], { env })
await new Promise(done => owner.stdout.once('data', done))

const starts: number[] = []
const bare: number[] = []
for (let round = 0; round <= rounds; round++) {
  const empty = await untilShown(`"${process.execPath}" -e "console.log('ready')"`, 'ready')
  const ours = await untilShown(`"${process.execPath}" "${bin}" -C "${dir}"`, READY)
  if (round === 0) continue // warm-up: the compiled code is kept at the first start
  starts.push(ours)
  bare.push(empty)
}
const startRatio = round2(median(starts.map((ms, at) => ms / bare[at]!)))
const flow = await flood()
owner.kill()
model.close()
rmSync(root, { recursive: true, force: true, maxRetries: 20 })

const report = {
  bench: 'terminal',
  promptMs: round1(median(starts)),
  nodeMs: round1(median(bare)),
  startRatio,
  startAtMost: AT_MOST_STARTS,
  ...flow,
  cpuAtMost: AT_MOST_CPU,
}
console.log(JSON.stringify(report))
console.log(
  `start to prompt ${report.promptMs} ms, ${startRatio} × node -e 0 (goal ≤ ${AT_MOST_STARTS} ×); ${flow.deltas} deltas in ${flow.seconds} s: ${flow.cpu} of a core (goal ≤ ${AT_MOST_CPU}), ${flow.repaints} full repaints, ${flow.bytes} bytes written`,
)
const isMissed = startRatio > AT_MOST_STARTS || flow.cpu > AT_MOST_CPU || flow.repaints > 0
if (process.argv.includes('--check') && isMissed) process.exit(1)

function inTerminal(command: string) {
  return spawn('script', ['-qec', `stty cols 120 rows 40; exec ${command}`, '/dev/null'], { env })
}

async function untilShown(command: string, what: string): Promise<number> {
  const before = performance.now()
  const child = inTerminal(command)
  let shown = ''
  const took = await new Promise<number>((done, fail) => {
    child.once('exit', () => fail(new Error(`it ended, and did not show "${what}": ${shown}`)))
    setTimeout(() => child.kill(), MOST_MS).unref()
    child.stdout.on('data', (data: Buffer) => {
      shown += data
      if (shown.includes(what)) done(performance.now() - before)
    })
  })
  child.stdin.write('\x04')
  await new Promise(done => child.once('exit', done))
  return took
}

async function flood() {
  const child = inTerminal(`"${process.execPath}" "${bin}" -C "${dir}"`)
  let shown = ''
  child.stdout.on('data', (data: Buffer) => {
    shown += data
  })
  while (!shown.includes(READY)) await pause(20)
  await pause(500)
  child.stdin.write('Talk\r')
  while (model.sent() === 0) await pause(20)
  const face = Number(execFileSync('sh', ['-c', `pgrep -P ${child.pid}`], { encoding: 'utf8' }))
  const [from, cpuBefore, sentBefore] = [performance.now(), cpuOf(face), model.sent()]
  await pause((seconds - 2) * 1000)
  const took = (performance.now() - from) / 1000
  const cpu = (cpuOf(face) - cpuBefore) / TICKS_PER_SECOND / took
  const deltas = model.sent() - sentBefore
  child.stdin.write('\x03')
  await pause(1000)
  child.stdin.write('\x04')
  await new Promise(done => child.once('exit', done))
  const repaints = [...shown.matchAll(FULL_REPAINT)].length
  return { deltas, seconds: round1(took), cpu: round2(cpu), repaints, bytes: shown.length }
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** An endpoint whose answer comes in deltas of a word, with a new line now and then. */
async function startModel() {
  let sent = 0
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    if (!request.url?.endsWith('/chat/completions'))
      return void response.end('{"data":[{"id":"fake"}]}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const from = performance.now()
    const most = DELTAS_PER_SECOND * seconds
    for (let at = 0; at < most && !response.destroyed; ) {
      const due = Math.min(most, ((performance.now() - from) * DELTAS_PER_SECOND) / 1000)
      for (; at < due; at++, sent++) {
        const content = at % 37 === 36 ? `**word** ${at}\n` : `word ${at} `
        const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]
        response.write(`data: ${JSON.stringify({ id: 'c', choices })}\n\n`)
      }
      await pause(5)
    }
    const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }]
    response.end(`data: ${JSON.stringify({ id: 'c', choices })}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    sent: () => sent,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
