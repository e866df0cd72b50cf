import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { launchBrowser } from '../browser/browser.ts'
import { openPage, openReview } from '../browser/open-page.ts'
import { serveSample } from '../browser/served.ts'
import { type Sandbox, sandbox } from '../cli.ts'
import { root } from '../commands/checkout.ts'
import type { TreeCopy } from './copy-of-the-tree.ts'
import { TOY_FILES } from './toy-format.ts'

const FOLDER = 'packages/documents/src/formats/toy'
const LIST = 'packages/documents/src/formats/index.ts'

export function addFormat(copy: TreeCopy): void {
  copy.add(FOLDER, TOY_FILES)
  copy.addLine(LIST, "export { toy } from './toy/facts.ts'")
}

/** Files, tools, drafts, docs and the page have it. */
export async function expectFormat(copy: TreeCopy): Promise<void> {
  await itsToolIsDerived(copy)
  const box = sandbox({ 'a.toy': 'bread\nmilk' }, copy.bin)
  await itIsRead(box)
  await itIsRefusedLikeOthers(box)
  await itIsDrafted(box)
  await thePageShowsIt(copy)
}

async function itsToolIsDerived(copy: TreeCopy): Promise<void> {
  const tools = async (form: string) => JSON.parse(await copy.run(copy.bin, 'tools', form))
  const summary = 'Apply operations to a toy (toy), in the draft, all or none.'
  const guidance = 'set_note {note, says} writes a note.'
  const catalog: { name: string }[] = await tools('--json')
  expect(catalog.find(({ name }) => name === 'toy_operations')).toMatchObject({ summary, guidance })
  const functions: { function: { name: string; parameters: object } }[] = await tools('--openai')
  const ofToy = functions.find(each => each.function.name === 'toy_operations')!.function
  expect(ofToy).toMatchObject({ description: expect.stringContaining(summary) })
  expect(ofToy.parameters).toMatchObject({
    required: ['path', 'operations'],
    properties: { operations: { items: { properties: { op: { enum: ['set_note'] } } } } },
  })
  expect(ofToy.parameters).not.toHaveProperty('properties.allow_protected')
  const reading = functions.find(each => each.function.name === 'read_file')!.function
  expect(reading).toHaveProperty('parameters.properties.note.description', 'Which note (toy)')
  const mcp: { tools: { name: string }[] } = await tools('--mcp')
  expect(mcp.tools.map(({ name }) => name)).toContain('toy_operations')

  await copy.run('scripts/generate.mjs')
  const docs = copy.read('docs/tools.md')
  expect(docs).toContain(`## toy_operations\n\n${summary}\n\n- ${guidance}`)
  expect(docs).toContain('| `set_note` | `note, says` | writes a note |')
  expect(docs).toContain('| `noteCount?` | integer | How many notes there are (toy) |')
}

async function itIsRead(box: Sandbox): Promise<void> {
  const listed = await box.call('list_files', {})
  expect(listed.result.files).toMatchObject([{ path: 'a.toy', kind: 'toy' }])
  const map = await box.call('get_file_info', { path: 'a.toy' })
  expect(map.result).toMatchObject({ format: 'toy', noteCount: 2 })
  const note = await box.call('read_file', { path: 'a.toy', note: 2 })
  expect(note.result).toMatchObject({ says: 'milk', shown: 'note 2', total: '2 notes' })
  const foreign = await box.call('read_file', { path: 'a.toy', line_start: 1 })
  expect(foreign.result.message).toBe(
    'Cannot read "a.toy" by line_start: it is a toy file and takes note.',
  )
}

async function itIsRefusedLikeOthers(box: Sandbox): Promise<void> {
  const operation = { op: 'write_note', nr: 1, says: 'rye' }
  const asked = { path: 'a.toy', operations: [operation] }
  const { result } = await box.call('toy_operations', asked)
  expect(result).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
  const { operations } = result.corrected
  expect(operations).toEqual([{ op: 'set_note', note: 1, says: 'rye' }])
  const text = await box.call('write_text_file', { path: 'b.toy', content: 'x' })
  expect(text.result.message).toBe(
    'Nothing was written: "b.toy" is a toy; text cannot be written to it. Use toy_operations (create_if_missing: true makes a new one), or a name that ends in .md, .txt or .csv.',
  )
  const elsewhere = await box.call('toy_operations', { path: 'b.md', create_new: true, operations })
  expect(elsewhere.result.message).toContain('"b.md" is not named like a toy. Use a path that ends')
}

async function itIsDrafted(box: Sandbox): Promise<void> {
  const set = (note: number, says: string) => ({ op: 'set_note', note, says })
  const operations = [set(1, 'rye'), set(2, 'oats')]
  const edited = await box.call('toy_operations', { path: 'a.toy', operations })
  expect(edited.result).toMatchObject({ draft: 'changed', changeCount: 2 })
  await box.call('toy_operations', {
    path: 'new.toy',
    create_if_missing: true,
    operations: [set(1, 'salt')],
  })
  const seen = await box.call('read_file', { path: 'a.toy', note: 1 })
  expect(seen.result).toMatchObject({ says: 'rye', draft: 'changed' })
  const review = await box.run(['review', '--json'])
  const { changes } = JSON.parse(review.stdout)
  const [first, second] = changes as { id: string }[]
  expect([first, second]).toMatchObject([
    { place: 'note 1', kind: 'note', before: { text: 'bread' }, after: { text: 'rye' } },
    { place: 'note 2' },
  ])
  expect((await box.run(['review'])).stdout).toContain('note 1: bread → rye')
  const published = await box.run(['publish', '--yes', '--only', second!.id])
  expect(published.code, published.stderr).toBe(0)
  expect(box.read('a.toy')).toBe('bread\noats')
  expect(box.exists('new.toy')).toBe(false)
}

/** The page knows no format: the page built here shows what the copy's server sends. */
async function thePageShowsIt(copy: TreeCopy): Promise<void> {
  cpSync(join(root, 'apps/cli/dist/web'), join(copy.folder, 'apps/cli/dist/web'), {
    recursive: true,
  })
  const served = await serveSample({}, { bin: copy.bin })
  const operations = [{ op: 'set_note', note: 1, says: 'wholemeal' }]
  await served.call('toy_operations', { path: 'list.toy', create_if_missing: true, operations })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await openPage(browser, served)
  await openReview(page)
  const review = page.getByRole('region', { name: 'Review' })
  await review.getByRole('region', { name: 'list.toy' }).waitFor()
  await review.getByText('note 1').first().waitFor()
  await review.getByText('wholemeal').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(readFileSync(join(served.folder, 'list.toy'), 'utf8')).toBe('wholemeal')
}
