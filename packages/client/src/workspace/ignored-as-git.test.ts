import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { plainGit } from '../../../../test/plain-git.ts'
import fc from '../../../../test/seeded-properties.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openDiskWorkspace } from './disk.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

// few names and many rule files, so that rules of several folders meet
const names = fc.constantFrom('a', 'a', 'b', 'b', 'ab', 'a.x', 'a b', '#a', '[a]')
const part = fc.constantFrom(
  ...[
    'a',
    'a',
    'b',
    'b',
    'ab',
    '*',
    '**',
    '?',
    'a*',
    '*.x',
    '[ab]',
    '[!a]',
    'a b',
    '\\#a',
    '\\[a\\]',
    'a\\',
  ],
)
const pattern = fc
  .tuple(
    fc.constantFrom('', '!'),
    fc.constantFrom('', '', '/'),
    fc.array(part, { minLength: 1, maxLength: 2 }),
    fc.constantFrom('', '', '', '/', ' '),
  )
  .map(([not, top, parts, end]) => not + top + parts.join('/') + end)
const rules = fc
  .tuple(fc.array(pattern, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, eol]) => lines.join(eol))
interface Tree {
  readonly rules: string | null
  readonly files: readonly string[]
  readonly folders: Readonly<Record<string, Tree>>
}
const none = fc.constant<Readonly<Record<string, Tree>>>({})
const tree = [2, 2, 3].reduce<fc.Arbitrary<Tree>>(
  (below, count) => treeOf(fc.dictionary(names, below, { minKeys: 1, maxKeys: count })),
  treeOf(none),
)

function treeOf(folders: fc.Arbitrary<Readonly<Record<string, Tree>>>): fc.Arbitrary<Tree> {
  const files = fc.uniqueArray(names, { minLength: 1, maxLength: 4 })
  return fc.record({ rules: fc.option(rules, { freq: 2 }), files, folders })
}

test.skipIf(!hasGit)('the files that are listed are those that git shows', async () => {
  const runs = process.env.FILEWRIGHT_FULL === '1' ? 400 : 40
  const sample = fc.asyncProperty(tree, async shape => {
    const dir = makeTempFolder()
    write(dir, shape)
    expect(await listed(dir), JSON.stringify(shape)).toEqual(shownByGit(dir))
    fs.rmSync(dir, { recursive: true })
  })
  await fc.assert(sample, { numRuns: runs, interruptAfterTimeLimit: 60_000 })
})

function write(dir: string, { rules, files, folders }: Tree): void {
  if (rules !== null) fs.writeFileSync(path.join(dir, '.gitignore'), rules)
  for (const [name, inner] of Object.entries(folders)) {
    fs.mkdirSync(path.join(dir, name))
    write(path.join(dir, name), inner)
  }
  for (const name of files) if (!(name in folders)) fs.writeFileSync(path.join(dir, name), '')
}

async function listed(dir: string): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of unwrap(await openDiskWorkspace(dir)).list())
    if (entry.kind === 'file') paths.push(entry.path)
  return paths.sort()
}

function shownByGit(dir: string): string[] {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: dir, env: plainGit(dir), encoding: 'utf8' })
  expect(git('init', '-q').status).toBe(0)
  const { stdout } = git('ls-files', '--others', '--exclude-standard', '-z')
  return stdout
    .split('\0')
    .filter(each => each !== '')
    .sort()
}
