import { LIMITS } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { percentile, serveBusy, type Watched, watch } from './busy-client.ts'
import { EXPENSIVE_INPUTS, type ExpensiveInput, SHARED } from './expensive-inputs.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'
/** In a quick run the machine is busy with other tests, so that only what blocks for long shows. */
const MOST_MS = FULL ? 250 : 5_000
/** Beyond what an owner that nobody attacks takes at the same time: other programs slow down both. */
const BESIDE_QUIET = 2
const MOST_MB = 500
const SLACK_MS = 15_000 // to send ten megabytes, and to reach an answer on a busy machine
const SAMPLE = [
  'an edit that seeks 2000000 letters and another one',
  'an edit that seeks 30000 equal lines',
  'one line of 10 MB',
  'search: a repeat in a repeat',
  'arguments: a hundred thousand keys',
  'a bomb of zeros',
  'a hundred thousand unknown operations',
]

test.runIf(process.platform === 'linux')(
  'others are answered in time, in little memory, beside whatever is expensive',
  { timeout: FULL ? 3_600_000 : 240_000 },
  async () => {
    const inputs = EXPENSIVE_INPUTS.filter(({ name }) => FULL || SAMPLE.includes(name))
    expect(inputs.length).toBeGreaterThanOrEqual(FULL ? 60 : SAMPLE.length)
    const served = await serveBusy({})
    for (const [path, make] of Object.entries(SHARED)) served.box.write(path, make())
    for (const { tool, args } of WARM_UP) await served.call(tool, args)
    const quiet = FULL ? await watch(await serveBusy({})) : undefined
    const watched = await watch(served)
    for (const input of inputs) await runBeside(input, served, watched)
    await watched.stop()
    await quiet?.stop()
    console.log(
      `${inputs.length} expensive inputs: ${describeTimes(watched)}, owner ${watched.peakMB.toFixed(0)} MB`,
    )
    if (quiet) console.log(`beside an owner that nobody attacks: ${describeTimes(quiet)}`)
    const p99 = percentile(watched.times, 0.99)
    const usual = quiet ? percentile(quiet.times, 0.99) : 0
    expect(watched.refused).toEqual([])
    expect(p99).toBeLessThan(Math.max(MOST_MS, BESIDE_QUIET * usual))
    expect(watched.peakMB).toBeLessThan(MOST_MB)
  },
)

function describeTimes({ times }: Watched): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map(share => percentile(times, share).toFixed(0))
  return `${times.length} answers, p50 ${p50} ms, p99 ${p99} ms, slowest ${most} ms`
}

const WARM_UP = [
  { tool: 'read_file', args: { path: 'small.xlsx' } },
  { tool: 'read_file', args: { path: 'letter.txt' } },
]

async function runBeside(
  { name, files = {}, run }: ExpensiveInput,
  served: Awaited<ReturnType<typeof serveBusy>>,
  watched: Watched,
): Promise<void> {
  for (const [path, make] of Object.entries(files)) served.box.write(path, make())
  const [first, began] = [watched.times.length, performance.now()]
  const answer = await run(served)
  const took = performance.now() - began
  const own = watched.times.slice(first)
  console.log(
    `${name}: ${took.toFixed(0)} ms, ${answer.errorCode ?? 'done'}; others ${own.length ? Math.max(...own).toFixed(0) : '-'} ms at most, owner ${watched.peakMB.toFixed(0)} MB`,
  )
  expect(answer, name).toMatchObject({ success: expect.any(Boolean) })
  expect(answer.errorCode, name).not.toBe('INTERNAL_ERROR')
  expect(answer.message, name).toMatch(answer.success ? /\w/ : /\w+ \w+ \w+/)
  expect(took, name).toBeLessThan(LIMITS.toolTimeoutMs + SLACK_MS)
}

test.runIf(FULL && process.platform === 'linux')(
  'ten thousand calls leave the memory of the owner flat',
  { timeout: 1_800_000 },
  async () => {
    const served = await serveBusy({ 'mid.txt': 'a line of text\n'.repeat(20_000) })
    const session = await served.newSession()
    const at: number[] = []
    for (let i = 0; i <= 10_000; i++) {
      if (i % 1000 === 0) at.push(served.memoryMB())
      const [tool, args] = ASKED[i % ASKED.length]!
      expect(await served.call(tool, args, session)).toMatchObject({ success: true })
    }
    console.log(`resident after each thousand calls: ${at.map(mb => mb.toFixed(0)).join(' ')} MB`)
    expect(Math.max(...at.slice(5))).toBeLessThan(Math.max(...at.slice(3, 6)) + 60)
  },
)

const ASKED = [
  ['list_files', {}],
  ['read_file', { path: 'small.txt' }],
  ['workspace_read_file', { path: 'small.txt' }],
  ['read_file', { path: 'mid.txt' }],
  ['get_file_info', { path: 'small.xlsx' }],
] as const
