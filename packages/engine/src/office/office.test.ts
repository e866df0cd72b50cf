import { describe, expect, onTestFinished, test } from 'vitest'
import { boxCommand } from './box.ts'
import { createOffice } from './office.ts'
import { profileXml } from './profile.ts'

const FILE = { path: 'a.docx', ending: '.docx', bytes: Buffer.from('anything') }

describe('where pages cannot be made', () => {
  test('nothing is started without the program', async () => {
    const office = createOffice({ find: () => undefined })
    expect(await office.look()).toBe('missing')
    expect(await office.toPdf(FILE)).toMatchObject({
      failure: {
        code: 'NO_OFFICE',
        kind: 'unsupported',
        message: expect.stringMatching(/LibreOffice is not installed here/),
      },
    })
  })

  test('a system without namespaces is refused, and the program is not started', async () => {
    const { platform } = process
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }))
    Object.defineProperty(process, 'platform', { value: 'darwin' })
    const office = createOffice({ find: () => ({ program: '/bin/false', folders: [] }) })
    expect(await office.look()).toBe('unboxed')
    expect(await office.toPdf(FILE)).toMatchObject({
      failure: { code: 'NO_OFFICE', message: expect.stringMatching(/cut off from the network/) },
    })
  })
})

test('the program is looked for once', async () => {
  let looks = 0
  const office = createOffice({
    find: () => {
      looks++
      return undefined
    },
  })
  await office.look()
  await office.toPdf(FILE)
  expect(looks).toBe(1)
})

test('the box has no network and no process of others, and dies with who started it', () => {
  const command = boxCommand({
    program: '/usr/bin/soffice',
    folders: [],
    ending: '.docx',
    memoryBytes: 2 ** 30,
    diskBytes: 2 ** 29,
    timeoutMs: 1_500,
  })
  expect(command.slice(0, 3)).toEqual(['setpriv', '--pdeathsig', 'KILL'])
  expect(command).toEqual(
    expect.arrayContaining(['--user', '--net', '--mount', '--pid', '--kill-child']),
  )
  expect(command.slice(-6, -1)).toEqual([
    '/usr/bin/soffice',
    'document.docx',
    '1048576',
    '524288k',
    '2',
  ])
})

test('the profile turns off macros, links and Java', () => {
  const xml = profileXml()
  for (const [name, value] of [
    ['DisableMacrosExecution', true],
    ['MacroSecurityLevel', 3],
    ['Link', 0],
    ['Link', 2],
    ['Enable', false],
  ])
    expect(xml).toContain(`oor:name="${name}" oor:op="fuse"><value>${value}</value>`)
})
