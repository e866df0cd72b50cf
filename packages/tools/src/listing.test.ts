import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { narrow } from './listing.ts'

test.each([
  ['', '', undefined, ''],
  ['.', '', undefined, ''],
  ['/', '', undefined, ''],
  ['./', '*.ts', '*.ts', ' of "*.ts"'],
  ['', 'src/api/', 'src/api/', ' of "src/api/"'],
  ['src/api/', '', 'src/api/**', ' in "src/api"'],
  ['.\\src', '', 'src/**', ' in "./src"'],
  ['src', '*.ts', 'src/**/*.ts', ' in "src" of "*.ts"'],
  ['src', 'app', 'src/**/*app*', ' in "src" of "app"'],
  ['src/*.ts', '', 'src/*.ts', ' of "src/*.ts"'],
])('path %j and pattern %j leave %j', (path, pattern, named, as) =>
  expect(unwrap(narrow(path, pattern))).toEqual({ named, as }),
)

test.each(['..', 'src/../..', '/etc', 'C:/x', '~'])('%j is not a folder of the workspace', path =>
  expect(narrow(path)).toMatchObject({ failure: { code: 'InvalidPath' } }),
)
