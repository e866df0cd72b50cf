import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { hasTmux, realTerminal } from './tmux.ts'

/** `filewright` by its name, as a shell finds it. */
function onPath(box: Sandbox): Record<string, string> {
  const folder = join(box.state, '../bin')
  mkdirSync(folder)
  const file = join(folder, 'filewright')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${box.bin}' "$@"\n`)
  chmodSync(file, 0o755)
  return {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: join(box.state, '..'),
    FILEWRIGHT_STATE: box.state,
    OLLAMA_HOST: '127.0.0.1:1',
  }
}

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe.runIf(has('bash'))('in bash', () => {
  const complete = (script: string, env: Record<string, string>, words: readonly string[]) => {
    const given = words.map(word => `'${word}'`).join(' ')
    const lines = [script, `COMP_WORDS=(${given})`, `COMP_CWORD=${words.length - 1}`]
    const shown = [...lines, '_filewright', `printf "%s\\n" "\${COMPREPLY[@]}"`].join('\n')
    return spawnSync('bash', ['--norc', '-c', shown], { env, encoding: 'utf8' }).stdout.trim()
  }

  test('commands, choices, and models with a colon in the middle of their name', async () => {
    const box = sandbox()
    const env = onPath(box)
    const { stdout: script } = await box.run(['completion', 'bash'])
    expect(complete(script, env, ['filewright', 'publ'])).toBe('publish')
    expect(complete(script, env, ['filewright', 'run', '--toolset', 'works'])).toBe(
      'workshop\nworkspace',
    )
    const models = 'filewright() { printf "ollama/qwen3:8b\\nollama/qwen3:14b\\n"; }'
    const before = ['filewright', 'run', '--model', 'ollama/qwen3', ':']
    expect(complete(`${script}\n${models}`, env, before)).toBe('8b\n14b')
  })

  test('nothing in a name is run', async () => {
    const box = sandbox()
    const { stdout: script } = await box.run(['completion', 'bash'])
    const evil = "filewright() { echo '$(echo run >ran)'; }"
    complete(`cd '${box.dir}'\n${script}\n${evil}`, onPath(box), ['filewright', ''])
    expect(box.exists('ran')).toBe(false)
  })
})

test.runIf(has('fish'))('in fish: ids alone where ids stand, else files', async () => {
  const box = sandbox({ 'notes.md': '#\n' })
  await box.call('write_text_file', { path: 'new.md', content: '# New\n' })
  const { stdout: script } = await box.run(['completion', 'fish'])
  const complete = (line: string) =>
    spawnSync('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`], {
      cwd: box.dir,
      env: onPathOnce,
      encoding: 'utf8',
    }).stdout.trim()
  const onPathOnce = onPath(box)
  expect(complete('filewright publ')).toBe('publish')
  expect(complete('filewright publish --only ')).toMatch(/^chg_\w+$/)
  expect(complete('filewright active add n')).toContain('notes.md')
})

test.runIf(hasTmux && has('zsh'))('in zsh, also where nothing was set up before', async () => {
  const box = sandbox({ 'notes.md': '#\n' })
  const terminal = realTerminal(box, { env: onPath(box) })
  terminal.type("PS1='% ' zsh -f -i")
  terminal.press('Enter')
  terminal.type('eval "$(filewright completion zsh)" && echo set up')
  terminal.press('Enter')
  await terminal.sees(/^set up$/m)
  terminal.type('filewright publ')
  terminal.press('Tab')
  await terminal.sees('filewright publish ')
})
