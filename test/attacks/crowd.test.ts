import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

const CROWDS = process.env.FILEWRIGHT_FULL === '1' ? 20 : 2

/** On a busy machine a second may pass before the owner answers. */
const WAITS = /^The Filewright process that holds the state is busy\..*\n/

test('commands that start at once on a new state all succeed', async () => {
  for (let crowd = 0; crowd < CROWDS; crowd++) {
    const box = sandbox({ 'a.txt': 'one\n' })
    const calls = Array.from({ length: 6 }, () => box.call('read_file', { path: 'a.txt' }))
    for (const { code, stderr } of await Promise.all(calls))
      expect({ code, stderr: stderr.replace(WAITS, '') }).toEqual({ code: 0, stderr: '' })
  }
})
