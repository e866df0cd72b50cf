import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type RunOptions, type Sandbox, sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { untilSays } from '../until-says.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'

const TOKEN = 'a-token-that-no-log-may-hold'
const WORD = 'confidential-words'

test('a run is told to a collector, to Prometheus and to the log, without a name or a word of it', async () => {
  const collector = await startOtlpReceiver()
  const model = await fakeModel([
    { text: `I write ${WORD}.`, calls: [writes(`${WORD}.txt`)] },
    { text: 'Once more.', calls: [edits('no-such-file.txt'), { name: WORD, arguments: {} }] },
    { text: 'Done.' },
  ])
  const box = sandbox({ 'a.txt': 'a\n' })
  const service = await serve(box, {
    FILEWRIGHT_BASE_URL: model.baseUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=for%20the%20collector',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
  })
  const { workspace, session } = await service.session()
  await service.ask('POST', `${session}/messages`, { text: `Write about ${WORD}.` })
  await expect.poll(() => collector.spans.some(({ name }) => name === 'run')).toBe(true)
  await service.ask('POST', `${workspace}/publish`, {})

  const run = collector.spans.find(({ name }) => name === 'run')!
  const within = collector.spans.filter(({ parentSpanId }) => parentSpanId === run.spanId)
  const names = ['tool edit_text_file', 'tool write_text_file', 'turn', 'turn', 'turn']
  expect(within.map(({ name }) => name).sort()).toEqual(names)
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([run.traceId]))
  for (const span of within) {
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(run.startTimeUnixNano))
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(run.endTimeUnixNano))
  }
  expect(run.status).toBeUndefined()
  expect(within.find(({ name }) => name === 'tool edit_text_file')!.status).toEqual({ code: 2 })
  expect(collector.headers[0]).toMatchObject({ 'x-key': 'for the collector' })
  const sent = (name: string) =>
    collector.metrics().find(metric => metric.name === `filewright.${name}`)
  await expect.poll(() => sent('published_files')?.sum.dataPoints[0].asDouble).toBe(0)
  expect(sent('turns')!.sum.dataPoints[0].asDouble).toBe(3)
  expect(sent('run_duration')).toMatchObject({
    unit: 's',
    histogram: { dataPoints: [{ count: '1' }] },
  })

  const { status, text } = await service.metrics()
  expect(status).toBe(200)
  expect(text).toContain('filewright_runs_started_total 1\n')
  expect(text).toContain('filewright_runs_ended_total{reason="final"} 1\n')
  expect(text).toContain('filewright_turns_total 3\n')
  expect(text).toContain('filewright_published_files_total{how="as reviewed"} 1\n')
  expect(text).toMatch(/tool_duration_seconds_count\{tool="write_text_file",outcome="ok"\} 1\n/)
  expect(text).toMatch(/tool_duration_seconds_count\{tool="edit_text_file",outcome="missing"\} 1\n/)
  expect(text).toMatch(/store_duration_seconds_count\{store="log",method="claim",outcome="ok"\} \d/)
  expect(text).toMatch(/requests_duration_seconds_count\{route="publish",outcome="ok"\} 1\n/)
  expect(text).toContain('filewright_runs_under_way 0\n')
  expect(text).toContain('filewright_queue_depth 0\n')

  const log = service.log()
  const ended = log.find(({ event }) => event === 'Run.Ended')
  expect(ended).toMatchObject({ reason: 'final', ms: expect.any(Number) })
  expect(log.filter(({ event }) => event === 'Call.Ended')).toHaveLength(2)
  for (const told of [collector.text(), text, JSON.stringify(log), service.stdout()])
    expect(told).not.toMatch(new RegExp(`${WORD}|no-such-file|${TOKEN}`))
})

test('figures are answered to whoever asks on loopback by its name, or shows the token', async () => {
  const service = await serve(sandbox(), {})
  expect(await service.metrics({ host: 'evil.example' })).toMatchObject({ status: 403 })
  expect(await service.metrics({}, '/')).toMatchObject({ status: 404 })
  expect(await service.metrics()).toMatchObject({ status: 200 })
  const metricsToken = 'only-for-whoever-reads-figures'
  const guarded = await serve(sandbox(), {
    FILEWRIGHT_METRICS: '0.0.0.0:0',
    FILEWRIGHT_METRICS_TOKEN: metricsToken,
  })
  const show = (token: string) => guarded.metrics({ authorization: `Bearer ${token}` })
  expect(await guarded.metrics()).toMatchObject({ status: 401 })
  expect(await show(TOKEN)).toMatchObject({ status: 401 })
  expect(await show(metricsToken)).toMatchObject({ status: 200 })
})

test('a collector that is away stops no run, and is named in the log once', async () => {
  const collector = await startOtlpReceiver()
  collector.refuse(true)
  const model = await fakeModel([{ text: 'Done.' }, { text: 'Done again.' }])
  const service = await serve(sandbox(), {
    FILEWRIGHT_BASE_URL: model.baseUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_METRIC_EXPORT_INTERVAL: '20',
  })
  const { session } = await service.session()
  await service.ask('POST', `${session}/messages`, { text: 'Go.' })
  const events = (name: string) => service.log().filter(({ event }) => event === name)
  await expect.poll(() => events('Run.Ended')).toHaveLength(1)
  await expect.poll(() => events('Telemetry.NotTaken')).toHaveLength(1)
  collector.refuse(false)
  await expect.poll(() => events('Telemetry.TakenAgain')).toHaveLength(1)
  await expect.poll(() => collector.metrics().length).toBeGreaterThan(0)
  expect(events('Telemetry.NotTaken')).toHaveLength(1)
})

test.each([
  [{ FILEWRIGHT_METRICS: '0.0.0.0:9464' }, 'FILEWRIGHT_METRICS_TOKEN'],
  [{ FILEWRIGHT_METRICS: '127.0.0.1' }, 'FILEWRIGHT_METRICS'],
  [{ FILEWRIGHT_METRICS: '127.0.0.1:1', FILEWRIGHT_METRICS_TOKEN: 'short' }, '5 characters'],
  [{ FILEWRIGHT_LOG: 'text' }, 'FILEWRIGHT_LOG'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'key' },
    'OTEL_EXPORTER_OTLP_HEADERS',
  ],
])('a wrong setting is one sentence before anything starts: %j', async (env, named) => {
  const { code, stdout, stderr } = await sandbox().run(['serve', '--port', '0'], { env })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(named)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

async function serve(box: Sandbox, env: NonNullable<RunOptions['env']>) {
  const child = box.start(['serve', '--port', '0'], {
    env: {
      FILEWRIGHT_TOKEN: TOKEN,
      FILEWRIGHT_LOG: 'json',
      FILEWRIGHT_METRICS: '127.0.0.1:0',
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', text => (stdout += text))
  child.stderr!.on('data', text => (stderr += text))
  const log = () => lines(stderr).map(line => JSON.parse(line))
  const found = await untilSays(child, /Filewright is at (\S+)/)
  const { origin } = new URL(found.slice('Filewright is at '.length))
  const ownToken = box.read('../state/token').trim()
  async function ask(method: string, path: string, body?: unknown) {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${ownToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
    const answered = (await response.json()) as any
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answered)}`)
    return answered
  }
  return {
    ask,
    log,
    stdout: () => stdout,
    async session() {
      const { workspaces } = await ask('GET', '/workspaces')
      const workspace = `/workspaces/${workspaces[0].workspaceId}`
      const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
      return { workspace, session: `${workspace}/sessions/${sessionId}` }
    },
    metrics(headers: Readonly<Record<string, string>> = {}, path = '/metrics') {
      const { port } = log().find(({ event }) => event === 'Metrics.Served')
      return read({ port, path, headers })
    },
  }
}

/** Not `fetch`: it sends no other host than the address has. */
function read(to: { port: number; path: string; headers: Readonly<Record<string, string>> }) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', ...to }, async answered => {
      let text = ''
      for await (const piece of answered) text += piece
      resolve({ status: answered.statusCode!, text })
    })
    sent.on('error', reject).end()
  })
}

function lines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(line => line !== '')
}

function writes(path: string) {
  return { name: 'write_text_file', arguments: { path, content: `${WORD}\n` } }
}

function edits(path: string) {
  const replacing = [{ search: WORD, replace: 'other' }]
  return { name: 'edit_text_file', arguments: { path, edits: replacing } }
}
