import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENTS } from '../../apps/mcp/src/setup/clients.ts'
import { sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

verifies(
  'CONTRACT §9 mcp install',
  'each client gets its configuration printed, and written where it has a file for it',
  async () => {
    const box = sandbox()
    for (const client of CLIENTS) {
      const printed = await box.run(['mcp', 'install', client])
      expect(printed.code, printed.stderr).toBe(0)
      expect(printed.stdout).toContain('filewright')
      expect(printed.stdout).toContain(box.dir)
      if (!printed.stdout.startsWith('[')) JSON.parse(printed.stdout)
    }
    const written = await box.run(['mcp', 'install', 'cursor', '--write', '--toolset', 'workspace'])
    const file = written.stdout.trim()
    const { command, args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.filewright
    expect(command).toBe(process.execPath)
    expect(args.slice(1)).toEqual(['mcp', box.dir, '--toolset', 'workspace'])
    expect(await box.run(['mcp', 'install', 'nobody'])).toMatchObject({ code: 2 })
    expect(await box.run(['mcp', 'install', 'jetbrains', '--write'])).toMatchObject({ code: 7 })
  },
)

test('what a configuration has stays in it, and one with comments is left alone', async () => {
  const box = sandbox()
  const home = dirname(box.dir)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const read = (path: string) => readFileSync(join(home, path), 'utf8')
  put('.gemini/settings.json', '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}')
  await box.run(['mcp', 'install', 'gemini', '--write'])
  expect(JSON.parse(read('.gemini/settings.json'))).toMatchObject({
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, filewright: { command: process.execPath } },
  })
  put('.codex/config.toml', 'model = "o"\n')
  await box.run(['mcp', 'install', 'codex', '--write'])
  expect(read('.codex/config.toml')).toMatch(
    /^model = "o"\n\n\[mcp_servers\.filewright\]\ncommand = "/,
  )
  expect((await box.run(['mcp', 'install', 'codex', '--write'])).code).toBe(4)
  const settings = '{\n  // mine\n  "theme": "One"\n}\n'
  put('.config/zed/settings.json', settings)
  expect((await box.run(['mcp', 'install', 'zed', '--write'])).code).toBe(4)
  expect(read('.config/zed/settings.json')).toBe(settings)
})

test.skipIf(process.platform === 'win32')(
  'a configuration with keys stays private, and a link to it stays a link',
  async () => {
    const box = sandbox()
    const home = dirname(box.dir)
    mkdirSync(join(home, '.codex'))
    mkdirSync(join(home, 'dotfiles'))
    const own = join(home, 'dotfiles/codex.toml')
    writeFileSync(own, 'key = "secret"\n', { mode: 0o600 })
    symlinkSync(own, join(home, '.codex/config.toml'))
    expect((await box.run(['mcp', 'install', 'codex', '--write'])).code).toBe(0)
    expect(lstatSync(join(home, '.codex/config.toml')).isSymbolicLink()).toBe(true)
    expect(statSync(own).mode & 0o777).toBe(0o600)
    expect(readFileSync(own, 'utf8')).toMatch(/^key = "secret"\n\n\[mcp_servers\.filewright\]/)
    expect(readdirSync(dirname(own))).toEqual(['codex.toml'])
  },
)

verifies(
  'CONTRACT §9 mcp doctor',
  'the doctor starts it as a client would, lists its tools and makes a call',
  async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const { code, stdout, stderr } = await box.run(['mcp', 'doctor'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(
      /^initialize {3}\S+ in \d+ ms, 2025-11-25\ntools\/list .*read_file.*\ntools\/call /,
    )
    const gone = await box.run(['mcp', 'doctor', 'no-such-folder'])
    expect(gone.code).toBe(8)
    expect(gone.stderr).toContain('no-such-folder')
  },
)
