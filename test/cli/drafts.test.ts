import { createInterface } from 'node:readline'
import { expect } from 'vitest'
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
