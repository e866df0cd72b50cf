import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { install } from '../commands/install.ts'
import { configurationOf, withEntry } from './configurations.ts'

const start = { command: 'node', args: ['filewright', 'mcp', '/w'] }
const { content } = configurationOf('codex', start, {
  ...{ home: '/home/me', platform: 'linux', dir: '/w' },
})

test.each([
  ['an inline table', 'mcp_servers = { other = { command = "x" } }'],
  ['an inline entry', '[mcp_servers]\nfilewright = { command = "x" }'],
  ['a dotted key', 'mcp_servers.filewright.command = "x"'],
  ['a quoted header', '[ mcp_servers . "filewright" ]\ncommand = "x"'],
  ['a table below the entry', '[mcp_servers.filewright.env]\nA = "b"'],
  ['a list of tables', '[[mcp_servers]]\ncommand = "x"'],
  ['a text that does not end', 'note = """\nno end'],
])('a TOML file in which the entry would be no TOML is left alone: %s', (_, text) => {
  expect(withEntry(text, content)).toBeUndefined()
})

test.each([
  'model = "gpt" # mcp_servers = {}\n',
  '[mcp_servers]\n\n[mcp_servers.other]\ncommand = "filewright = 1"\n',
])('beside other entries it is added: %s', text => {
  expect(withEntry(text, content)).toMatch(/\n\[mcp_servers\.filewright\]\ncommand = "node"\n/)
})

test('a configuration of the folder that is a link to the outside is not written through', () => {
  const root = mkdtempSync(join(tmpdir(), 'filewright-install-'))
  const [dir, outside] = [join(root, 'work'), join(root, 'outside')]
  for (const folder of [dir, outside]) mkdirSync(folder)
  writeFileSync(join(outside, 'theirs.json'), '{}')
  symlinkSync(join(outside, 'theirs.json'), join(dir, '.mcp.json'))
  symlinkSync(outside, join(dir, '.vscode'))
  for (const client of ['claude-code', 'vscode'])
    expect(() => install({ client, dir, write: true })).toThrow(/nothing was written: .+ outside/)
  expect(readdirSync(outside)).toEqual(['theirs.json'])
  expect(readFileSync(join(outside, 'theirs.json'), 'utf8')).toBe('{}')
})
