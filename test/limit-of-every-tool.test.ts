import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import { LIMITS, unwrap } from '@filewright/protocol'
import { openMemoryStores } from '@filewright/server'
import { catalog } from '@filewright/tools'
import { afterEach, expect, onTestFinished, vi } from 'vitest'
import { embedded } from './embedded.ts'
import { verifies } from './verifies.ts'

afterEach(() => vi.useRealTimers())

/** Valid arguments; a tool that takes a path alone needs none here. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  edit_text_file: { path: 'a.txt', edits: [{ search: 'a', replace: 'b' }] },
  workspace_edit_file: { path: 'a.txt', edits: [{ search: 'a', replace: 'b' }] },
  write_text_file: { path: 'a.txt', content: 'b\n' },
  workspace_create_file: { path: 'b.txt', content: 'b\n' },
  workspace_write_patch: {
    files: [
      {
        docPath: 'a.txt',
        originalSha256: '12345678',
        changes: [{ operation: 'insert', afterLine: 0, newLines: ['b'] }],
      },
    ],
  },
  workspace_get_patch_change: { id: 'bat_1' },
  workspace_search: { query: 'a' },
  workspace_find_symbol: { name: 'a' },
  workspace_list_active_files: {},
  workspace_list_files: {},
  list_files: {},
  search_files: { query: 'a' },
  file_operations: { operations: [{ op: 'delete', path: 'a.txt' }] },
  table_query: { sql: 'select 1 from t', tables: [{ path: 'a.csv' }] },
  table_export: { sql: 'select 1 from t', tables: [{ path: 'a.csv' }], to: 'b.csv' },
  recall_tool_result: { id: 'tc_1' },
  docx_operations: {
    path: 'a.docx',
    operations: [{ op: 'replace_text', search: 'a', replace: 'b' }],
  },
  pptx_operations: {
    path: 'a.pptx',
    operations: [{ op: 'replace_text', search: 'a', replace: 'b' }],
  },
  xlsx_operations: { path: 'a.xlsx', operations: [{ op: 'set_cells', sheet: 'S', cells: [] }] },
}

/** They touch no file, so nothing holds them up: they end at once, in a run or outside one. */
const AT_ONCE = [
  'ask_person',
  'delegate',
  'describe_operations',
  'recall_tool_result',
  'update_plan',
]

/** They wait for new files for a moment only, and answer with what is indexed. */
const WITH_WHAT_IS_INDEXED = ['workspace_search', 'workspace_find_symbol']

verifies(
  ['ADR-0010 §Safety & Limits 3 timeout', 'CONTRACT §7 limit tool time'],
  'every tool of the catalog ends within its time when files, stores and patches never answer',
  async () => {
    const product = await stuckProduct()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const names = catalog.map(({ declaration }) => declaration.name)
    const calls = names.map(async name => {
      const sessionId = product.sessions.get(name)!
      const answer = await product.call(name, ARGUMENTS[name] ?? { path: 'a.txt' }, { sessionId })
      return [name, answer] as const
    })
    const ended = Promise.all(calls)
    await vi.advanceTimersByTimeAsync(LIMITS.toolTimeoutMs + 5_000)
    vi.useRealTimers()
    for (const [name, answer] of await ended) {
      if (AT_ONCE.includes(name)) continue
      if (WITH_WHAT_IS_INDEXED.includes(name)) {
        expect(answer, name).toMatchObject({ success: true })
        continue
      }
      expect(answer, name).toMatchObject({ success: false, errorCode: 'TIMEOUT', kind: 'limit' })
      expect(answer.message, name).toMatch(/30 s/)
    }
  },
)

/** The product on a folder, stores and patches that stop answering once it has started. */
async function stuckProduct() {
  const root = mkdtempSync(join(tmpdir(), 'filewright-stuck-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'a.txt'), 'a\n')
  let isStuck = false
  const stick = <Port extends object>(port: Port, stuck: Stuck<Port>): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const own = Reflect.get(target, name, receiver)
        const instead = stuck[name as keyof Port]
        if (!instead || typeof own !== 'function') return own
        return (...given: unknown[]) => (isStuck ? instead() : own.apply(target, given))
      },
    })
  const disk = unwrap(await openDiskWorkspace(root))
  const workspace = stick(disk, {
    list: neverListed,
    listNames: neverListed,
    locate: never,
    placeFor: never,
    read: never,
    open: never,
    hash: never,
    readAtOnce: () => undefined,
  })
  const stores = await openMemoryStores()
  const product = await embedded(
    {},
    {
      link: 'direct',
      workspace,
      stores: { ...stores, patches: stick(stores.patches, { find: never, store: never }) },
    },
  )
  const sessions = new Map<string, string>()
  for (const { declaration } of catalog) {
    const sessionId = await product.newSession()
    sessions.set(declaration.name, sessionId)
    const params = { sessionId }
    await product.ask('addActiveFile', { params, body: { path: 'a.txt' } })
  }
  isStuck = true
  return { ...product, sessions }
}

type Stuck<Port> = { readonly [Name in keyof Port]?: () => unknown }

const never = () => new Promise(() => {})

async function* neverListed() {
  await new Promise(() => {})
  yield undefined as never
}
