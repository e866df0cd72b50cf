import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §7 written call asks',
  'a write that the model wrote as text waits for a person, with --approve all and with a rule that allows it',
  async () => {
    const call = { name: 'workspace_create_file', arguments: { path: 'b.txt', content: 'made' } }
    const model = await fakeModel([{ text: JSON.stringify(call) }, { text: 'Done.' }])
    const box = sandbox({ 'a.txt': 'hello' })
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    await box.run(['rules', 'add', '--effect', 'write', '--path', '**'])
    const toolset = ['--toolset', 'workspace']
    const ran = await box.run(['run', 'Go.', '--approve', 'all', ...toolset], { env })
    expect(ran.code).toBe(9)
    expect(ran.stderr).toContain('Create b.txt: waits for a person')
    expect(existsSync(join(box.dir, 'b.txt'))).toBe(false)
    const id = /approvals approve (\S+)/.exec(ran.stderr)![1]!
    await box.run(['approvals', 'approve', id])
    expect((await box.run(['resume'], { env })).code).toBe(0)
    expect(readFileSync(join(box.dir, 'b.txt'), 'utf8')).toBe('made')
  },
)

verifies(
  'CONTRACT §7 written call asks',
  'a draft with such a write is not published without a person, with --publish auto',
  async () => {
    const call = { name: 'write_text_file', arguments: { path: 'b.txt', content: 'made' } }
    const model = await fakeModel([{ text: JSON.stringify(call) }, { text: 'Done.' }])
    const box = sandbox({ 'a.txt': 'hello' })
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    const ran = await box.run(['run', 'Go.', '--publish', 'auto'], { env })
    expect(ran.stdout).toContain('1 file in the draft')
    expect(ran.stderr).toContain('The draft waits for a person')
    expect(existsSync(join(box.dir, 'b.txt'))).toBe(false)
  },
)
