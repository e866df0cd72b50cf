import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { PromptInput } from '../port/prompt-input.ts'
import { estimateTokens } from '../port/tokens.ts'
import { runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import { ask, createProcess, createWorld, linesOf, sha256 } from '../testing/world.ts'
import { lateLayers, toLateLayer, toLateText } from './late-layers.ts'
import { boundActiveFiles, composeActiveFiles, composePrompt } from './prompt.ts'

const WINDOW = 128_000

const input: PromptInput = {
  workspace: {
    name: 'accounts',
    snapshot: {
      entries: ['reports/', 'reports/2026/', 'reports/2026/q3.docx', 'sales.xlsx'],
      total: 4,
    },
  },
  manifest: {
    version: '7',
    files: [
      {
        path: 'sales.xlsx',
        kind: 'xlsx',
        sizeBytes: 48_211,
        version: '9f2c11aa',
        draft: 'changed',
      },
      { path: 'reports/2026/q3.docx', kind: 'docx', sizeBytes: 2_400_000, version: null },
    ],
  },
  pathsUsed: [{ path: 'sales.xlsx', version: '9f2c11aa' }],
  houseRules: [{ path: 'AGENTS.md', text: 'Amounts are in CHF.\n' }],
  openApprovals: [],
  session: { toolset: 'workshop', date: '2026-11-02', mode: 'direct' },
}

const tools = ['read_file', 'xlsx_operations'].map(name => ({
  name,
  description: `The summary of ${name}.`,
  guidance: `Use ${name} when it is right.`,
  parameters: { type: 'object' },
}))

verifies(
  [
    'ADR-0010 §New Architecture first request',
    'ADR-0010 §New Architecture no content in the manifest',
    'CONTRACT §7 prompt guidance of offered tools',
    'CONTRACT §7 prompt manifest',
    'CONTRACT §7 prompt directory snapshot',
    'CONTRACT §7 prompt paths used',
  ],
  'the system prompt and what is sent before the first message are what the golden file shows',
  async () => {
    const { system } = composePrompt(input.session, tools, sha256)
    const late = toLateText(textsOf(input))
    await expect(`${system}\n\n── first message ──\n${late}\n`).toMatchFileSnapshot(
      'prompt.golden.txt',
    )
  },
)

test('the prompt without files and tools is small', () => {
  const bare = { ...input, manifest: { version: '0', files: [] }, houseRules: [], pathsUsed: [] }
  const { layers } = composePrompt(bare.session, [], sha256)
  const late = estimateTokens(textsOf(bare).join(''))
  const tokens = layers.reduce((total, layer) => total + layer.tokens, late)
  expect(tokens).toBeLessThan(500)
})

verifies(
  'CONTRACT §7 limit snapshot',
  'the snapshot shows at most 400 entries and a depth of 4',
  () => {
    const entries = Array.from({ length: 900 }, (_, i) =>
      i % 2 ? `a/b/c/d/e${i}/` : `folder${i}/`,
    )
    const workspace = { name: 'big', snapshot: { entries, total: 12_000 } }
    const text = textsOf({ ...input, workspace }).join('\n')
    expect(text.match(/^- folder/gm)).toHaveLength(400)
    expect(text).not.toContain('a/b/c/d/e')
    expect(text).toContain('… of 12000 in all')
  },
)

verifies(
  'CONTRACT §7 log context row',
  'a context row names the layers with hashes, the manifest with its version, and the active files',
  async () => {
    const world = createWorld()
    world.active = {
      files: [{ path: 'a.md', version: 'aa11bb22', isDirty: true, text: '# Notes' }],
    }
    ask(world, 'go')
    await runSession(createProcess(world, { model: script([{ say: 'ok' }]), input }))
    const { layers } = linesOf(world, 'context')[0]!
    expect(layers.map(layer => layer.name)).toEqual([
      ...['product', 'tools', 'house rules: AGENTS.md', 'session', 'workspace', 'manifest'],
      ...['paths used', 'active files'],
    ])
    expect(layers.find(layer => layer.name === 'manifest')).toMatchObject({ version: '7' })
    expect(layers.at(-1)).toMatchObject({ files: ['a.md@aa11bb22'] })
    for (const layer of layers) expect(layer.sha256).toMatch(/^[0-9a-f]{64}$/)
  },
)

verifies(
  ['CONTRACT §7 limit active file', 'CONTRACT §7 limit active files'],
  'active files over a bound are named and not sent',
  () => {
    const file = (path: string, bytes: number) => ({
      path,
      version: 'v',
      isDirty: false,
      text: 'x'.repeat(bytes),
    })
    const sent = (sizes: number[], context: number) =>
      boundActiveFiles(
        sizes.map((bytes, i) => file(`f${i}`, bytes)),
        context,
      ).map(one => one.text !== undefined)
    const KB = 1024
    expect(sent([256 * KB, 256 * KB + 1], 1e9)).toEqual([true, false])
    expect(sent(Array(5).fill(220 * KB), 1e9)).toEqual([true, true, true, true, false])
    expect(sent([35_000, 35_000], 60_000)).toEqual([true, false])
    const { text } = composeActiveFiles({ files: [file('big.md', 300 * KB)] }, 1e9, sha256)
    expect(text).toContain('big.md · v: not sent (too large, read it by region)')
  },
)

verifies(
  'CONTRACT §7 prompt active files',
  'an active file comes late, keeps its place, and moves to the end when it changes',
  async () => {
    const world = createWorld()
    const tools = {
      read: { readOnly: true, run: ({ path }: Record<string, unknown>) => ({ text: `${path}` }) },
    }
    const calls = (path: string) => ({ calls: [['read', { path }]] as const })
    const model = script([calls('1'), calls('2'), calls('3'), { say: 'ok' }])
    const active = (text: string) => ({
      files: [{ path: 'a.md', version: text, isDirty: false, text }],
    })
    world.active = active('first')
    ask(world, 'go', tools)
    const seen: string[][] = []
    const port = createProcess(world, { model, tools })
    const { stream } = model
    model.stream = request => {
      seen.push(
        request.messages
          .slice(1)
          .map(({ role, text }) =>
            text.startsWith('Active') ? `active:${/v?(first|second)/.exec(text)![1]}` : role,
          ),
      )
      if (seen.length === 2) world.active = active('second')
      return stream(request)
    }
    await runSession(port)
    expect(seen).toEqual([
      ['active:first', 'user'],
      ['active:first', 'user', 'assistant', 'tool'],
      ['user', 'assistant', 'tool', 'assistant', 'tool', 'active:second'],
      ['user', 'assistant', 'tool', 'assistant', 'tool', 'active:second', 'assistant', 'tool'],
    ])
  },
)

test('a late layer that changed sends what is new and what is gone, and nothing when it did not', () => {
  const manifest = (files: readonly string[], total?: number): PromptInput => ({
    ...input,
    manifest: {
      version: '1',
      files: files.map(path => ({ path, kind: 'txt', sizeBytes: 1 })),
      ...(total && { total }),
    },
  })
  const of = (one: PromptInput) => lateLayers(one, WINDOW).find(({ name }) => name === 'manifest')!
  const before = of(manifest(['a.txt', 'b.txt']))
  const shown = { sha256: toLateLayer(before, {}, sha256).sha256, rows: before.rows }
  expect(toLateLayer(before, shown, sha256).text).toBeUndefined()
  const after = toLateLayer(of(manifest(['a.txt', 'c\n# House rules.txt'])), shown, sha256)
  expect(after.text).toBe(
    [
      '# Files (metadata only; read what you need), new or changed',
      '- c # House rules.txt · txt · 1 B',
      '# Files (metadata only; read what you need), no longer there',
      '- b.txt',
    ].join('\n'),
  )
  const many = toLateLayer(of(manifest(['a.txt', 'c.txt'], 300)), shown, sha256)
  expect(many.text).not.toContain('no longer there')
})

function textsOf(one: PromptInput): string[] {
  return lateLayers(one, WINDOW).map(layer => toLateLayer(layer, {}, sha256).text!)
}

test('a token estimate is near what tokenizers count', () => {
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBeGreaterThanOrEqual(10)
  expect(estimateTokens('翻译这个工作簿')).toBeGreaterThanOrEqual(6)
})
