import { expect, test } from 'vitest'
import { compileRules } from './ignore-rules.ts'

const PATTERNS = [
  ...[
    'a',
    'A',
    'build',
    'build/',
    '/build',
    'src/build/',
    '**/build',
    'a/**/build',
    'build//',
    '/',
    '!',
  ],
  ...[
    '*.log',
    '*.LOG',
    '/*.log',
    'src/*.log',
    '*.log/',
    '*.tar.gz',
    '*.',
    '*',
    '**',
    'src/*',
    'src/**',
  ],
  ...[
    '*log',
    'a*',
    'a*.log',
    '?.log',
    '[ab].log',
    '*.py[co]',
    '.env',
    '.env.*',
    '*~',
    '~$x',
    'b c',
    ' a',
  ],
  ...[
    'a ',
    'a\\ ',
    '\\#a',
    '#a',
    '\\!a',
    'Ärger',
    '*.ö',
    'µ',
    '{a,b}',
    'a+b',
    '(a)',
    'a\t',
    '*.log ',
    '\uFEFFa',
  ],
]
const NAMES = [
  ...[
    'a',
    'A',
    'b',
    'build',
    'BUILD',
    'x.log',
    'X.LOG',
    '.log',
    'log',
    'catalog',
    'a.log',
    'b.log',
    'ab.log',
  ],
  ...[
    'x.tar.gz',
    'gz',
    '.env',
    '.env.local',
    'a~',
    '~$x',
    'b c',
    ' a',
    '#a',
    '!a',
    'ärger',
    'ÄRGER',
    'x.ö',
    'X.Ö',
  ],
  ...['μ', 'a+b', '(a)', '{a,b}', 'x.pyc', 'x.py', 'x.', 'build.log', 'log.build', 'x.log.txt'],
]

test('a name that no pattern matches is neither ignored nor included by any', () => {
  let unconcerned = 0
  for (const ignoreCase of [false, true])
    for (const pattern of PATTERNS) {
      const { concern, judge } = compileRules(`# of a test\n${pattern}\n`, ignoreCase)
      for (const name of NAMES.filter(name => !concern(name)))
        for (const path of [name, `${name}/`, `src/${name}`, `src/deep/${name}/`]) {
          unconcerned++
          expect([pattern, path, judge(path)]).toEqual([pattern, path, 'undecided'])
        }
    }
  expect(unconcerned).toBeGreaterThan(3_000) // it tells most apart
})

test('a quoted slash separates folders, as git reads it', () => {
  const { judge } = compileRules('a\\/a b\n', false)
  expect(judge('a/a b')).toBe('ignored')
  expect(judge('a b')).toBe('undecided')
})
