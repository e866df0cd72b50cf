import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
].sort()

test.each(pages)('every link of %s leads somewhere', page => {
  const broken = linksOf(page).filter(link => !leadsSomewhere(page, link))
  expect(broken).toEqual([])
})

test('decision records are numbered, each once, and begin with their title', () => {
  const records = pages.filter(page => page.startsWith('docs/decisions/'))
  const numbers = records.map(page => page.match(/\/(\d{4})-[a-z0-9-]+\.md$/)?.[1])
  expect(new Set(numbers).size).toBe(records.length)
  for (const record of records) expect(textOf(record), record).toMatch(/^# .+\n\n/)
})

function linksOf(page: string): string[] {
  const prose = textOf(page).replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|<(?:img|a)[^>]+(?:src|href)="([^"]+)"/g)]
  return links.map(([, markdown, html]) => markdown ?? html!).filter(link => !/^[a-z]+:/.test(link))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(target).includes(anchor)
}

/** As GitHub builds them: lower case, without punctuation, a hyphen for a space. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}
