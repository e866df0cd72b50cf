import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { root } from '../commands/checkout.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import { fakeResponses } from './fake-responses.ts'

// Products that we did not write, offline, with a scripted model on loopback. npm installs them once, some 800 MB.
const isFull = process.env.FILEWRIGHT_FULL === '1'
const isHere = process.platform === 'linux' && process.arch === 'x64'
const BOOK =
  'packages/documents/src/formats/xlsx/scenarios/001_set_cells_writes_typed_values/input/book.xlsx'

/** Where our server is. */
type Way = { readonly stdio: readonly string[] } | { readonly url: string; readonly token: string }

interface Product {
  readonly name: string
  /** Runs the script with everything allowed that the product can allow, and returns what its model heard last. */
  run(box: Sandbox, way: Way, steps: readonly FakeStep[]): Promise<string>
}

const calls = (name: string, args: object = {}): FakeStep => ({
  text: '',
  calls: [{ name, arguments: args }],
})
const PUBLISH = [calls('publish_draft'), { text: 'Done.' }]
/** Reads, edits the workbook, reviews and wants to publish. */
const WORK = [
  calls('get_file_info', { path: 'book.xlsx' }),
  calls('xlsx_operations', {
    path: 'book.xlsx',
    operations: [{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'H9', value: 42 }] }],
  }),
  calls('review_draft'),
  ...PUBLISH,
]

for (const product of [opencode(), codex()])
  for (const over of ['stdio', 'http'] as const)
    test.skipIf(!isFull || !isHere)(
      `${product.name} over ${over}: what it accepts by itself writes nothing, and a person elsewhere publishes`,
      { timeout: 1_200_000 },
      async () => {
        const box = sandbox({ 'book.xlsx': readFileSync(join(root, BOOK)) })
        const before = box.readBytes('book.xlsx')
        const way = over === 'stdio' ? { stdio: [box.bin, 'mcp', box.dir] } : await serve(box)
        const heard = await product.run(box, way, WORK)
        expect(heard).toContain('Sales') // of the map that it read
        expect(heard).toContain('H9') // of the review
        expect(heard).toContain('pending: nothing was written')
        expect(box.readBytes('book.xlsx')).toEqual(before)

        const [question] = /qst_\w+/.exec((await box.run(['approvals', 'list'])).stdout)!
        await box.run(['approvals', 'answer', question, 'Publish'])
        expect(await product.run(box, way, PUBLISH)).toContain('change set is')
        expect(box.readBytes('book.xlsx')).not.toEqual(before)
      },
    )

function opencode(): Product {
  return {
    name: 'opencode 1.18.33',
    async run(box, way, steps) {
      const bin = installed(
        'opencode',
        'opencode-ai@1.18.33',
        'opencode-linux-x64-baseline/bin/opencode',
      )
      const prefixed = steps.map(step => ({
        ...step,
        calls: step.calls?.map(call => ({ ...call, name: `filewright_${call.name}` })),
      }))
      const model = await fakeModel(prefixed)
      model.callId = (step, index) => `call_${step}_${index}`
      model.answerTo = ({ tools }) => (tools?.length ? undefined : { text: 'A title' })
      const options = { baseURL: model.baseUrl, apiKey: 'none' }
      const fake = {
        npm: '@ai-sdk/openai-compatible',
        options,
        models: { fake: { tool_call: true } },
      }
      const server =
        'url' in way
          ? {
              type: 'remote',
              url: way.url,
              headers: { Authorization: `Bearer ${way.token}` },
              oauth: false,
            }
          : {
              type: 'local',
              command: [process.execPath, ...way.stdio],
              environment: { FILEWRIGHT_STATE: box.state },
            }
      const config = inHome(box, 'opencode.json', {
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake',
        small_model: 'fake/fake',
        provider: { fake },
        mcp: { filewright: { timeout: 900_000, enabled: true, ...server } },
        permission: 'allow',
      })
      await runIn(box, bin, ['run', '--auto', 'Put 42 into H9 of book.xlsx.'], {
        OPENCODE_CONFIG: config,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      })
      return JSON.stringify(model.requests.findLast(({ tools }) => tools?.length)?.messages ?? [])
    },
  }
}

function codex(): Product {
  return {
    name: 'codex 0.166.0',
    async run(box, way, steps) {
      const bin = installed(
        'codex',
        '@openai/codex@0.166.0',
        '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
      )
      const model = await fakeResponses(steps, 'mcp__filewright')
      const server =
        'url' in way
          ? [`url = ${JSON.stringify(way.url)}`, 'bearer_token_env_var = "OUR_TOKEN"']
          : [
              `command = ${JSON.stringify(process.execPath)}`,
              `args = ${JSON.stringify(way.stdio)}`,
              `env = { FILEWRIGHT_STATE = ${JSON.stringify(box.state)} }`,
            ]
      inHome(box, '.codex/config.toml', [
        'model = "fake"',
        'model_provider = "fake"',
        '[model_providers.fake]',
        'name = "fake"',
        `base_url = ${JSON.stringify(model.baseUrl)}`,
        'wire_api = "responses"',
        'env_key = "FAKE_KEY"',
        '[mcp_servers.filewright]',
        'required = true',
        'tool_timeout_sec = 900',
        'startup_timeout_sec = 900',
        ...server,
      ])
      const all = '--dangerously-bypass-approvals-and-sandbox'
      await runIn(
        box,
        bin,
        ['exec', '--skip-git-repo-check', all, '-C', box.dir, 'Put 42 into H9.'],
        {
          FAKE_KEY: 'none',
          ...('token' in way && { OUR_TOKEN: way.token }),
        },
      )
      return model.heard()
    },
  }
}

async function serve(box: Sandbox): Promise<Way> {
  const said = await untilSays(box.start(['serve', '--port', '0']), PAGE_ADDRESS)
  const { origin, searchParams } = new URL(said)
  const token = searchParams.get('token')!
  const headers = { authorization: `Bearer ${token}` }
  const listed = await fetch(`${origin}/api/workspaces`, { headers })
  const { workspaces } = (await listed.json()) as { workspaces: { workspaceId: string }[] }
  return { url: `${origin}/mcp/${workspaces[0]!.workspaceId}/workshop`, token }
}

function homeOf(box: Sandbox): string {
  return join(dirname(box.dir), 'home')
}

/** An object as JSON, lines as they are. */
function inHome(box: Sandbox, name: string, content: object | readonly string[]): string {
  const path = join(homeOf(box), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Array.isArray(content) ? `${content.join('\n')}\n` : JSON.stringify(content))
  return path
}

async function runIn(
  box: Sandbox,
  bin: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(bin, args, {
    cwd: box.dir,
    env: { PATH: process.env.PATH, HOME: homeOf(box), ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { code, stdout, stderr } = await finished(child, '')
  expect(code, stderr + stdout).toBe(0)
}

/** None of its scripts run. */
function installed(name: string, spec: string, bin: string): string {
  const cache = join(root, '.filewright-cache/peers', name)
  const path = join(cache, 'node_modules', bin)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', spec], {
    cwd: cache,
    stdio: 'ignore',
  })
  return path
}
