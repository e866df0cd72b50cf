import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §9 init',
  'init writes a first AGENTS.md, and leaves one that is there as it is',
  async () => {
    const box = sandbox()
    const first = await box.run(['init'])
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('filewright rules add --effect instructions'),
    })
    expect(box.read('AGENTS.md')).toContain('# For agents that work in this folder')
    expect((await box.run(['log', '--sent'])).stderr).toContain('has sent nothing to a model')
    box.write('AGENTS.md', 'Mine.\n')
    const again = await box.run(['init'])
    expect(again.code).not.toBe(0)
    expect(again.stdout).toContain('AGENTS.md')
    expect(box.read('AGENTS.md')).toBe('Mine.\n')
  },
)

test("a folder's AGENTS.md is used after a rule says yes; a person's own is used before it, in every folder", async () => {
  const box = sandbox({ 'AGENTS.md': 'Amounts are in CHF.\n' })
  mkdirSync(box.state, { recursive: true })
  writeFileSync(join(box.state, 'AGENTS.md'), 'Answer in one sentence.\n')
  const model = await fakeModel([{ text: 'Yes.' }])
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const first = await box.run(['run', 'Hello.'], { env })
  expect(first.stderr).toContain(
    'AGENTS.md was not loaded as instructions: nobody has allowed it. Read it, then allow it with: filewright rules add --effect instructions --path AGENTS.md',
  )
  expect(JSON.stringify(model.requests)).not.toContain('CHF')
  const added = await box.run(['rules', 'add', '--effect', 'instructions', '--path', 'AGENTS.md'])
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/instructions {2}AGENTS\.md/),
  })
  const second = await box.run(['run', 'Hello.'], { env })
  expect(second.stderr).not.toContain('AGENTS.md')
  const late = model.requests.at(-1)!.messages.find(({ content }) => content.includes('CHF'))!
  expect(late.content).toMatch(/Answer in one sentence\.[\s\S]*folder's words[\s\S]*CHF/)
})
