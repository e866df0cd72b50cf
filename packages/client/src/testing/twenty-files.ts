import { between, change, changeSet, type Tree } from './apply-kit.ts'

/** 20 files change: 9 replaced, 6 created (4 of them in new folders), 4 deleted, 1 respelled. */
export const before: Tree = {
  'unchanged.txt': 'stays',
  ...numbered(5, n => [`a${n}.txt`, `old a${n}`]),
  ...numbered(4, n => [`src/b${n}.txt`, `old b${n}`]),
  ...numbered(3, n => [`src/deep/er/c${n}.txt`, `old c${n}`]),
  'becomes-folder': 'a file',
  'Readme.TXT': 'spelling',
}
export const after: Tree = {
  'unchanged.txt': 'stays',
  ...numbered(5, n => [`a${n}.txt`, `new a${n}\n`]),
  ...numbered(4, n => [`src/b${n}.txt`, `new b${n}\n`]),
  'src/new1.txt': 'new file 1',
  'top.txt': 'new file 2',
  'made/x.txt': 'new file 3',
  'made/y/z1.txt': 'new file 4',
  'made/y/z2.txt': '',
  'becomes-folder/inner.txt': 'new file 6',
  'readme.txt': 'spelling',
}
export const folders = {
  before: ['src', 'src/deep', 'src/deep/er'],
  after: ['becomes-folder', 'made', 'made/y', 'src', 'src/deep', 'src/deep/er'],
}
export const set = changeSet('cs_crash', [
  ...between(before, after).filter(file => file.path !== 'a1.txt'),
  change('a1.txt', 'old a1', [
    { from: 'inline', bytes: Buffer.from('new') },
    { from: 'base', start: 3, end: 6 },
    { from: 'inline', bytes: Buffer.from('\n') },
  ]),
])

function numbered(count: number, entry: (n: number) => [path: string, text: string]): Tree {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index + 1)))
}
