import { expect, test } from 'vitest'
import { createMemoryWorkspace } from '../memory/memory.ts'
import { matchesPattern, parseIgnorePattern } from './ignore-pattern.ts'
import type { Entry, Workspace } from './workspace.ts'

const FILES = 3_000
const RULES = 20_000
const many = (line: (i: number) => string) => Array.from({ length: RULES }, (_, i) => line(i))

async function listOf(rules: string, options: object = {}, folder = '') {
  const files: Record<string, string> = { [`${folder}.gitignore`]: rules, 'z/other.txt': '' }
  for (let i = 0; i < FILES; i++) files[`${folder}dir${i % 30}/${'a'.repeat(20)}${i}.txt`] = ''
  const workspace: Workspace = createMemoryWorkspace(files)
  const entries: Entry[] = []
  for await (const entry of workspace.list(options)) entries.push(entry)
  return entries
}

const pathOf = (entry: Entry) => ('path' in entry ? entry.path : '')

const withheldOf = (entries: readonly Entry[]) =>
  entries.filter(entry => entry.kind === 'file' && entry.isWithheld)

test.each([
  ['that contain a wildcard', many(i => `*a*${i}*x`)],
  ['for one name', many(i => `dir${i}/x.txt`)],
  ['for one ending', many(i => `dir${i}/*.txt`)],
])('a folder with 20,000 rules %s is listed and withheld', async (_, rules) => {
  const entries = await listOf(rules.join('\n'))
  expect(withheldOf(entries).length).toBeGreaterThan(FILES)
  const notes = entries.filter(entry => entry.kind === 'unusable')
  expect(notes).toMatchObject([{ path: '.', reason: expect.stringContaining('more ignore rules') }])
  const allowed = await listOf(rules.join('\n'), { allowLarge: true })
  expect(withheldOf(allowed)).toEqual([])
})

test('only the folder with too many rules is withheld', async () => {
  const entries = await listOf(many(i => `*a*${i}*x`).join('\n'), {}, 'hostile/')
  expect(withheldOf(entries)).toHaveLength(FILES + 1)
  expect(entries.find(entry => pathOf(entry) === 'z/other.txt')).not.toHaveProperty('isWithheld')
})

test('20,000 rules for 20,000 names are matched: a file meets only those that could match it', async () => {
  const rules = many(i => `${'a'.repeat(20)}${i}.txt`)
  const entries = await listOf(rules.join('\n'))
  expect(entries.map(pathOf)).toEqual(['.gitignore', 'z/other.txt'])
})

test('a rule file that is too large to read withholds its folder', async () => {
  const entries = await listOf('x\n'.repeat(600_000))
  expect(withheldOf(entries).length).toBeGreaterThan(FILES)
})

test('no pattern takes more than a moment, however many wildcards it has', () => {
  const name = 'a'.repeat(255)
  for (const text of [`${'*a'.repeat(120)}b`, `${'a*'.repeat(120)}b`, `${'[a-z]*'.repeat(80)}9`]) {
    const pattern = parseIgnorePattern(text, false)!
    for (let i = 0; i < 200; i++) expect(matchesPattern(pattern, [name], false)).toBe(false)
  }
  const deep = parseIgnorePattern(`${'**/a/'.repeat(100)}b`, false)!
  expect(matchesPattern(deep, Array(400).fill('a'), false)).toBe(false)
})
