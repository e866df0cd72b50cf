import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §6 draft survives a crash',
  'every edit that was answered is in the draft after kill -9, and is published',
  async () => {
    const box = sandbox({ 'a.txt': 'start\n' })
    const expected: string[] = ['start']
    for (let round = 0; round < 3; round++) {
      const child = box.start(['call', '--lines'])
      const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
      for (let i = 0; i < 3; i++) {
        const last = expected.at(-1)!
        const added = `r${round}e${i}`
        const edits = [{ search: `${last}\n`, replace: `${last}\n${added}\n` }]
        const call = { tool: 'edit_text_file', arguments: { path: 'a.txt', edits } }
        child.stdin!.write(`${JSON.stringify(call)}\n`)
        const { value } = await answers.next()
        expect(JSON.parse(value).result).toMatchObject({ success: true })
        expected.push(added)
      }
      child.kill('SIGKILL')
      await finished(child)
    }
    const read = await box.call('read_file', { path: 'a.txt' })
    expect(read.result.content.trim().split('\n')).toEqual(expected)
    expect(box.read('a.txt')).toBe('start\n')
    const review = JSON.parse((await box.run(['review', '--json'])).stdout)
    expect(review.changes).toHaveLength(9)
    expect((await box.run(['publish', '--yes'])).code).toBe(0)
    expect(box.read('a.txt').trim().split('\n')).toEqual(expected)
  },
)

verifies(
  'CONTRACT §6 damaged draft told',
  'a draft that cannot be read is reported once at the start, and always by draft list and doctor',
  async () => {
    const box = sandbox({})
    await box.call('write_text_file', { path: 'a.txt', content: 'a\n' })
    const workspaces = join(box.state, 'workspaces')
    const folder = join(workspaces, readdirSync(workspaces)[0]!, 'drafts')
    const [name] = readdirSync(join(folder, 'open'))
    appendFileSync(join(folder, 'open', name!), 'no line of a draft\n')
    const id = name!.replace('.jsonl', '')
    const first = await box.call('list_files', {})
    expect(first).toMatchObject({ code: 0, result: { success: true, files: [] } })
    expect(first.stderr).toContain(`The draft ${id} is damaged.`)
    for (let again = 0; again < 2; again++) {
      const listed = await box.run(['draft', 'list'])
      expect(listed.stdout).toMatch(new RegExp(`^${id}  damaged`))
      expect(listed.stderr.match(/cannot be read/g)).toHaveLength(1)
      expect(listed.stderr).toContain(`drafts/damaged/${name}`)
    }
    expect((await box.run(['doctor'])).stdout).toMatch(/^ {2}damaged +1 drafts? /m)
    expect(readFileSync(join(folder, 'damaged', name!), 'utf8')).toContain('no line of a draft')
  },
  { timeout: 60_000 },
)

test('a draft is named by its id alone too, and two different ones are refused', async () => {
  const box = sandbox({})
  await box.call('write_text_file', { path: 'a.txt', content: 'a\n' })
  const [draft] = JSON.parse((await box.run(['draft', 'list', '--json'])).stdout)
  expect((await box.run(['review', draft.id])).stdout).toContain('a.txt')
  const other = await box.run(['review', 'drf_other'])
  expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining(draft.id) })
  expect(await box.run(['draft', 'discard', draft.id, '--draft', 'drf_other'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name one draft'),
  })
  expect((await box.run(['publish', draft.id, '--yes'])).code).toBe(0)
  expect(box.read('a.txt')).toBe('a\n')
})

verifies(
  ['CONTRACT §9 publish --refuse', 'CONTRACT §6 publish keeps the rest'],
  'publish --only keeps the rest and says how many; publish --refuse drops what it names',
  async () => {
    const box = sandbox({ 'a.txt': 'one\ntwo\nthree\n' })
    for (const word of ['one', 'two', 'three']) {
      const edits = [{ search: word, replace: word.toUpperCase() }]
      await box.call('edit_text_file', { path: 'a.txt', edits })
    }
    const review = async () => JSON.parse((await box.run(['review', '--json'])).stdout).changes
    const [one, two, three] = await review()
    const some = await box.run(['publish', '--yes', '--only', two.id])
    expect(some).toMatchObject({ code: 0 })
    expect(some.stdout).toMatch(/2 other changes stay in the draft drf_\w+\.$/m)
    expect(box.read('a.txt')).toBe('one\nTWO\nthree\n')
    expect(await review()).toEqual([one, three])
    const last = await box.run(['publish', '--yes', '--refuse', one.id, '--json'])
    expect(JSON.parse(last.stdout)).toMatchObject({ refused: [one.id], undecided: 0 })
    expect(box.read('a.txt')).toBe('one\nTWO\nTHREE\n')
    expect((await box.run(['review'])).code).toBe(3)
  },
)
