import { expect, test } from 'vitest'
import { folderLast, helpFirst } from './program.ts'

test.each([
  ['-C dir call read_file {}', 'call read_file {} -C dir'],
  ['--cwd dir draft list', 'draft list --cwd dir'],
  ['-C dir publish --only a b', 'publish --only a b -C dir'],
  ['-C dir run -- -task', 'run -C dir -- -task'],
  ['approvals -C dir list', 'approvals list -C dir'],
  ['draft --cwd dir discard', 'draft discard --cwd dir'],
  ['run -C dir -- -task', 'run -C dir -- -task'],
  ['serve -C one two --port 5', 'serve -C one two --port 5'],
  ['call read_file {} -C dir', 'call read_file {} -C dir'],
  ['-C', '-C'],
  ['--help', '--help'],
])('%s is read as %s', (given, meant) => {
  expect(folderLast(given.split(' '), ['approvals', 'draft']).join(' ')).toBe(meant)
})

test.each([
  ['help', '--help'],
  ['help run', 'run --help'],
  ['help draft list', 'draft list --help'],
  ['help exit-codes', 'help exit-codes'],
  ['run help', 'run help'],
])('"%s" is read as "%s"', (given, meant) => {
  expect(helpFirst(given.split(' '), ['run', 'draft', 'help']).join(' ')).toBe(meant)
})
