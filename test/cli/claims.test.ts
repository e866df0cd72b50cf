import { expect } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const edit = (path: string, search: string) => ({
  name: 'edit_text_file',
  arguments: { path, edits: [{ search, replace: 'new' }] },
})
const CLAIM = 'I changed a.txt and b.txt.\n2 files in the draft: 2 lines'

verifies(
  'CONTRACT §7 false claim contradicted',
  'a model whose edit failed and that claims it, in our own words even, does not have the last word',
  async () => {
    const { box, ran } = await runWith([
      { text: 'I change both.', calls: [edit('a.txt', 'nowhere')] },
      { text: CLAIM },
    ])
    expect(ran.code).toBe(0)
    expect(ran.stdout.trimEnd().split('\n').slice(-2)).toEqual([
      '2 files in the draft: 2 lines', // the model's words, and then the truth
      'No file was changed',
    ])
    expect(await drafted(box)).toEqual([])
  },
)

verifies(
  ['CONTRACT §7 false claim contradicted', 'CONTRACT §7 closing line'],
  'a model that claims more than it did is held to what is in the draft',
  async () => {
    const { box, ran } = await runWith([
      { text: 'I change both.', calls: [edit('a.txt', 'old'), edit('b.txt', 'nowhere')] },
      { text: CLAIM },
    ])
    const closing = ran.stdout.trimEnd().split('\n').at(-1)
    expect(closing).toMatch(/^1 file\b.*\bin the draft\b.*\b1 line\b/)
    expect(closing).not.toContain('b.txt')
    expect(await drafted(box)).toEqual(['a.txt'])
    const log = await box.run(['log'])
    expect(log.stdout).toContain(`run-end  ${closing}`)
  },
)

verifies(
  'CONTRACT §7 closing line',
  'the last line counts what the draft holds at the end, however many calls it took',
  async () => {
    const { box, ran } = await runWith([
      {
        text: 'I try things.',
        calls: [
          edit('a.txt', 'old'),
          edit('b.txt', 'old'),
          { name: 'write_text_file', arguments: { path: 'c.txt', content: 'gone soon\n' } },
          { name: 'file_operations', arguments: { operations: [{ op: 'delete', path: 'c.txt' }] } },
        ],
      },
      { text: 'Done.' },
    ])
    expect(await drafted(box)).toEqual(['a.txt', 'b.txt'])
    const closing = ran.stdout.trimEnd().split('\n').at(-1)
    expect(closing).toMatch(/^2 files\b.*\bin the draft\b.*\blines?\b/)
    expect(closing).not.toContain('c.txt')
  },
)

async function runWith(steps: readonly FakeStep[]) {
  const box = sandbox({ 'a.txt': 'old\n', 'b.txt': 'old\n' })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl }
  return { box, ran: await box.run(['run', 'Change both files.', '--model', 'fake'], { env }) }
}

/** The files that the draft changes, as its review shows them. */
async function drafted(box: Sandbox): Promise<string[]> {
  const { stdout } = await box.run(['review'])
  return [...stdout.matchAll(/^── (\S+)/gm)].map(([, path]) => path!)
}
