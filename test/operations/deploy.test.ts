import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const FILES = readdirSync(join(root, 'deploy')).map(name => `deploy/${name}`)

test.each(FILES)('every setting that %s names is one that the command reads', path => {
  const known = settingsIn(configSources())
  expect(known).toContain('FILEWRIGHT_DATABASE')
  expect(settingsIn(read(path)).filter(name => !known.includes(name))).toEqual([])
})

test('what the container and the unit start is a command with those options', async () => {
  const [, json] = /^CMD (\[.*\])$/m.exec(read('deploy/Dockerfile'))!
  const [, unit] = /^ExecStart=\S+ filewright (.*)$/m.exec(read('deploy/filewright.service'))!
  for (const [command, ...rest] of [JSON.parse(json!) as string[], unit!.split(' ')]) {
    const { code, stdout } = await sandbox().run([command!, '--help'])
    expect(code).toBe(0)
    for (const option of rest.filter(word => word.startsWith('--')))
      expect(stdout).toContain(option)
  }
})

test('ports, probes and files that the parts name to each other are there', () => {
  const compose = read('deploy/compose.yaml')
  const balancer = read('deploy/Caddyfile')
  const port = /--port", "(\d+)"/.exec(read('deploy/Dockerfile'))![1]
  for (const [, name] of compose.matchAll(/^ {2}(filewright-\d):/gm))
    expect(balancer).toContain(`${name}:${port}`)
  expect(balancer).toContain('health_uri /ready')
  for (const [, path] of compose.matchAll(/\.\/(\w+):/g))
    expect(existsSync(join(root, 'deploy', path!)), path).toBe(true)
  expect(existsSync(join(root, /dockerfile: (\S+)/.exec(compose)![1]!))).toBe(true)
  const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(read('deploy/filewright.env.example'))![1])
  for (const [, seconds] of [compose, read('deploy/filewright.service')].flatMap(text => [
    ...text.matchAll(/(?:stop_grace_period: |TimeoutStopSec=)(\d+)/g),
  ]))
    expect(Number(seconds)).toBeGreaterThan(drain)
})

/** The environment is read nowhere else (test/architecture). */
function configSources(): string {
  const folder = 'packages/host/src/settings'
  return readdirSync(join(root, folder))
    .filter(name => name.endsWith('.ts'))
    .map(name => read(`${folder}/${name}`))
    .join('\n')
}

function settingsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:FILEWRIGHT|OTEL|AWS)_[A-Z0-9_]+/g) ?? [])]
}

test('figures, spans and their exporters are a part of the command that a start alone does not run', () => {
  const command = read('apps/cli/dist/filewright.cjs')
  const parts = new Map(
    command
      .split(/^(?='\.\/[^']+'\(exports, require, module\) \{$)/m)
      .map(part => [/^'\.\/([^']+)'/.exec(part)?.[1], part]),
  )
  expect(parts.size).toBeGreaterThan(10)
  const holding = [...parts].filter(([, part]) => part.includes('resourceSpans'))
  expect(holding.map(([name]) => name)).toEqual(['start-telemetry.cjs'])
  const naming = [...parts.values()].flatMap(
    part => part.match(/.*require\(['"]\.\/start-telemetry\.cjs['"]\).*/g) ?? [],
  )
  expect(naming.length).toBeGreaterThan(0)
  for (const line of naming) expect(line).toMatch(/Promise\.resolve\(\)\.then/)
})
