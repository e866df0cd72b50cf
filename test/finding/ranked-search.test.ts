import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalog, inToolset } from '@filewright/tools'
import { describe, expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Answer, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'

const BILLING = `namespace Shop.Billing
{
    public class BillingService
    {
        public decimal CalculateTaxes(Order order)
        {
            return order.Total * Rate;
        }
        public void Send() { CalculateTaxes(null); }
    }
    public class Mailer
    {
        public void Send() { }
    }
}
`
const BOOK = zooBook({
  strings: ['Reifenwechsel', 'im Herbst'],
  sheets: {
    Kosten: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
  },
})
const TREE = {
  'src/Billing/BillingService.cs': BILLING,
  'src/order.ts':
    'import { x } from "y"\n\nexport function totalOf(order: Order) {\n  return order.lines.length\n}\n',
  'docs/Guide.md': '# Guide\n\n## Invoices\n\nInvoices are sent on Fridays.\n',
  'Kosten.xlsx': BOOK,
  '.env': 'SECRET_TAXES=1\n',
  'node_modules/m/index.js': 'function calculateTaxes() {}\n',
}

/** Exactly these fields, each in its form. */
const SNIPPET = {
  docPath: expect.stringMatching(/^[^A-Z]+$/),
  path: expect.any(String),
  chunkPath: expect.stringMatching(/^[^A-Z#]+#\w+:.+$/),
  language: expect.stringMatching(/./),
  lines: { start: expect.any(Number), end: expect.any(Number) },
  text: expect.stringMatching(/./),
}

verifies(
  [
    'CONTRACT §4 workspace_search ranked',
    'CONTRACT §4 workspace_search snippet',
    'CONTRACT §4 workspace_search chunkPath shortest',
    'CONTRACT §4 workspace_search documents',
    'TUL-001 §2 snippet docPath',
    'TUL-001 §2 snippet chunkPath',
  ],
  'a search finds code and documents, the best first, each with DocPath, ChunkPath, lines, language and text',
  async () => {
    const { call } = await embedded(TREE)
    const found = await call('workspace_search', {
      query: 'How are the taxes of an order calculated?',
    })
    expect(found).toMatchObject({ success: true, indexed: 4, unindexed: 0, warnings: [] })
    for (const snippet of found.snippets) expect(snippet).toEqual(SNIPPET)
    expect(found.snippets[0]).toMatchObject({
      docPath: 'src/billing/billingservice.cs',
      path: 'src/Billing/BillingService.cs',
      chunkPath: 'src/billing/billingservice.cs#method:CalculateTaxes',
      language: 'csharp',
      lines: { start: 5, end: 8 },
    })
    const places = async (query: string) =>
      (await call('workspace_search', { query })).snippets.map((each: Answer) => each.chunkPath)
    expect(await places('Reifenwechsel')).toEqual([expect.stringMatching(/^kosten\.xlsx#part:/)])
    expect((await places('when are invoices sent'))[0]).toBe('docs/guide.md#section:Invoices')
    expect(await places('send mail')).toContain('src/billing/billingservice.cs#method:Mailer.Send')
    expect(await places('SECRET_TAXES')).not.toContain('.env#lines:1-1')
  },
)

verifies(
  [
    'TUL-001 §1 whole document',
    'TUL-001 §1 docPath is the key',
    'TUL-001 §2 docPath passed on unchanged',
    'TUL-002 §3 search is no base',
    'CONTRACT §2 search never a base',
  ],
  "a snippet's docPath reads the whole document, and nothing in a snippet is a base for a patch",
  async () => {
    const { call } = await embedded({ 'src/Billing/BillingService.cs': BILLING })
    const { snippets } = await call('workspace_search', { query: 'CalculateTaxes' })
    const [snippet] = snippets
    expect(JSON.stringify(snippets)).not.toMatch(/sha256|version|[0-9a-f]{8}/)
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(snippet.text).digest('hex')
    const change = { operation: 'insert', afterLine: 1, newLines: ['// x'] }
    const patch = {
      files: [{ docPath: snippet.docPath, originalSha256: sha256, changes: [change] }],
    }
    expect(await call('workspace_write_patch', patch)).toMatchObject({
      success: false,
      kind: 'conflict',
    })
    const { file } = await call('workspace_read_file', { path: snippet.docPath })
    expect(file.content).toBe(BILLING)
    const based = { files: [{ ...patch.files[0], originalSha256: file.sha256 }] }
    expect(await call('workspace_write_patch', based)).toMatchObject({ success: true })
  },
)

verifies(
  ['CONTRACT §4 workspace_find_symbol definitions', 'CONTRACT §4 workspace_find_symbol usages'],
  'a symbol is found where it is defined and where it is used',
  async () => {
    const { call } = await embedded(TREE)
    const found = await call('workspace_find_symbol', { name: 'BillingService.CalculateTaxes()' })
    expect(found).toMatchObject({
      definitions: [{ chunkPath: 'src/billing/billingservice.cs#method:CalculateTaxes' }],
      usages: [
        {
          docPath: 'src/billing/billingservice.cs',
          chunkPath: 'src/billing/billingservice.cs#method:BillingService.Send',
          line: 9,
        },
      ],
      usageCount: 1,
    })
    expect(
      (await call('workspace_find_symbol', { name: 'Order', path: 'src/order.ts' })).usages,
    ).toMatchObject([{ line: 3 }])
  },
)

verifies(
  'CONTRACT §4 workspace toolset',
  'the workspace toolset offers the tools of its table and those of both toolsets',
  () => {
    const names = inToolset(catalog, 'workspace').map(({ declaration }) => declaration.name)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['workspace_read_file', 'workspace_write_patch', 'workspace_create_file'],
        ...['workspace_get_patch_change', 'workspace_list_files', 'workspace_list_active_files'],
        ...['workspace_search', 'workspace_find_symbol', 'workspace_edit_file'],
        ...['recall_tool_result', 'update_plan', 'ask_person', 'delegate'],
      ]),
    )
  },
)

describe('a file that changes', () => {
  test('is found by its new text a second later, and not by its old one', async () => {
    const { call, write, dir } = await embedded({
      'a.ts': 'export function first() {}\n',
      'b.md': '# B\n',
    })
    const places = async (query: string) =>
      (await call('workspace_search', { query })).snippets.map((each: Answer) => each.chunkPath)
    expect(await places('first')).toEqual(['a.ts#function:first'])
    write('a.ts', 'export function second() {}\n// more\n')
    write('c.py', 'def third():\n  pass\n')
    await expect.poll(() => places('second'), PATIENCE).toEqual(['a.ts#function:second'])
    expect(await places('third')).toEqual(['c.py#function:third'])
    expect(await places('first')).toEqual([])
    const { rmSync } = await import('node:fs')
    rmSync(join(dir, 'a.ts'))
    await expect.poll(() => places('second'), PATIENCE).toEqual([])
  })

  test('is found under its last version when the client is away', async () => {
    const { call, detach } = await embedded({ 'a.ts': 'export function first() {}\n' })
    await call('workspace_search', { query: 'first' })
    await detach()
    const found = () => call('workspace_search', { query: 'first' })
    expect((await found()).snippets).toHaveLength(1)
    await expect
      .poll(async () => (await found()).warnings.join(), PATIENCE)
      .toContain('what was indexed before')
  })
})

/** Real code that the lock file pins: two libraries, and questions about one of them. */
const QUESTIONS: readonly (readonly [question: string, place: string])[] = [
  ['distance between two words by edits', 'function:editDistance'],
  ['suggest a similar command for a misspelt one', 'function:suggestSimilar'],
  ['wrap the text of the help to a width', 'method:boxWrap'],
  ['split the flags of an option into short and long', 'function:splitOptionFlags'],
  ['convert a name to camel case', 'function:camelcase'],
  ['error for excess arguments', 'method:_excessArguments'],
  ['show the help after an error', 'method:showHelpAfterError'],
  ['a required argument is missing', 'method:missingArgument'],
  ['human readable name of an argument with brackets', 'function:humanReadableArgName'],
  ['remove color codes from a string', 'function:stripColor'],
]

test('ten questions about real code: the right piece is among the first three for at least eight', async () => {
  const { call } = await embedded({
    ...library('commander', 'lib'),
    ...library('hono', 'dist/utils'),
  })
  const ranks: string[] = []
  for (const [query, place] of QUESTIONS) {
    const { snippets } = await call('workspace_search', { query, limit: 10 })
    const rank = snippets.findIndex((each: Answer) => each.chunkPath.endsWith(`#${place}`)) + 1
    ranks.push(`${rank || '>10'} ${place}`)
  }
  const right = ranks.filter(rank => /^[123] /.test(rank))
  expect(right.length, ranks.join(', ')).toBeGreaterThanOrEqual(8)
})

function library(name: string, folder: string): Record<string, string> {
  const root = fileURLToPath(new URL(`../../node_modules/${name}/${folder}/`, import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.js'))
    .slice(0, 60)
  return Object.fromEntries(
    files.map(path => [`${name}/${path}`, readFileSync(join(root, path), 'utf8')]),
  )
}
