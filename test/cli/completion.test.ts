import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §9 completion',
  'bash, zsh and fish get a script that asks the command what could come next',
  async () => {
    const box = sandbox()
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await box.run(['completion', shell])
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('filewright completion words'),
      })
    }
    const words = async (...typed: string[]) =>
      (await box.run(['completion', 'words', '--', ...typed])).stdout.trim().split('\n')
    expect(await words('publ')).toEqual(['publish'])
    expect(await words('draft', 'res')).toEqual(['resolve'])
    expect(await words('call', 'table_')).toEqual(['table_query', 'table_export'])
    expect((await box.run(['completion', 'tcsh'])).code).toBe(2)
  },
)

verifies(
  'CONTRACT §9 review --stat',
  'review --stat has a line for each file, with its numbers of changes',
  async () => {
    const box = sandbox({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n' })
    const edits = ['one', 'three'].map(search => ({ search, replace: search.toUpperCase() }))
    await box.call('edit_text_file', { path: 'a.txt', edits })
    await box.call('write_text_file', { path: 'c.txt', content: 'new\n' })
    const { stdout } = await box.run(['review', '--stat'])
    expect(stdout.split('\n').slice(1)).toEqual([
      '  a.txt: 2 changes (2 lines)',
      expect.stringContaining('  c.txt: 1 change'),
      '',
    ])
  },
)
