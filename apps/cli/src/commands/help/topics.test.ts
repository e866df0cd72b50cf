import { readFileSync } from 'node:fs'
import { isGroup, loadFaces } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { TOPICS } from './topics.ts'

const { commands } = await loadFaces([() => import('../../face.ts')])

test.each(Object.entries(TOPICS))('"%s" fits 80 columns and names only what exists', (_, text) => {
  for (const line of text().split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  for (const [, name, inner] of text().matchAll(/filewright ([a-z]+)(?: ([a-z]+))?/g)) {
    const found = commands.find(each => each.name === name)
    expect(found, name).toBeDefined()
    if (!inner || !found || !isGroup(found)) continue
    expect(
      found.commands.map(each => each.name),
      text(),
    ).toContain(inner)
  }
})

test('every exit code has a meaning, and each topic is named in the summary of the command', () => {
  const page = readFileSync(new URL('../../../../../docs/terminal.md', import.meta.url), 'utf8')
  for (const code of Object.values(EXIT_CODES)) expect(page).toContain(`\n| ${code} | `)
  for (const code of Object.values(EXIT_CODES))
    expect(TOPICS['exit-codes']!()).toMatch(new RegExp(`^ +${code}  \\w`, 'm'))
  const { summary } = commands.find(({ name }) => name === 'help') as { summary?: string }
  for (const topic of Object.keys(TOPICS)) expect(summary).toContain(topic)
})
