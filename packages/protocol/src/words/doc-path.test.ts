import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  type DocPath,
  findCollisions,
  parseChunkPath,
  parseDocPath,
  parseRelativePath,
  type RelativePath,
  toChunkPath,
  toDocPath,
} from './doc-path.ts'
import { ok, unwrap } from './result.ts'

/** Data, so that a client in another language can be held to it too. */
const vectors: {
  accepted: [spelling: string, path: string, docPath: string, why: string][]
  refused: [spelling: string, found: string][]
  colliding: string[][]
} = JSON.parse(readFileSync(new URL('doc-path.vectors.json', import.meta.url), 'utf8'))

/** Any string at all, and strings made of what paths and their traps are made of. */
const spellings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      '.',
      '..',
      '/',
      '\\',
      ':',
      '~',
      ' ',
      'é',
      'e\u0301',
      'İ',
      'Σ',
      'J\u030c',
      'NUL',
      '\u0000',
      '\ud800',
    ),
  }),
)

verifies(
  ['CONTRACT §2 docPath vectors', 'CONTRACT §2 docPath folds case'],
  'every spelling of the committed vectors gives the path and the docPath next to it',
  () => {
    for (const [spelling, path, docPath, why] of vectors.accepted) {
      expect(parseRelativePath(spelling), why).toEqual(ok(path))
      expect(parseDocPath(spelling), why).toEqual(ok(docPath))
      expect(toDocPath(path as RelativePath), why).toBe(docPath)
    }
  },
)

describe('a path that cannot be used', () => {
  test.each(vectors.refused)('%j: %s', (spelling, found) => {
    for (const parse of [parseRelativePath, parseDocPath])
      expect(parse(spelling)).toMatchObject({
        ok: false,
        failure: {
          code: 'InvalidPath',
          kind: 'invalid',
          message: expect.stringMatching(/^Cannot use the path /),
        },
      })
    expect(messageOf(spelling)).toContain(`: ${found}. `)
    expect(messageOf(spelling)).toContain(
      'Use a path relative to the workspace root, such as "src/app.ts".',
    )
  })

  test('one part may have 255 bytes and no more, counted in UTF-8', () => {
    expect(parseRelativePath('a'.repeat(255)).ok).toBe(true)
    expect(messageOf('a'.repeat(256))).toContain('a part of it is longer than 255 bytes')
    expect(parseRelativePath('é'.repeat(127)).ok).toBe(true)
    expect(messageOf('é'.repeat(128))).toContain('longer than 255 bytes')
    expect(messageOf('😀'.repeat(64))).toContain('longer than 255 bytes')
  })

  test('the whole may have 4096 bytes and no more', () => {
    const parts = (count: number) => Array(count).fill('abcdefg').join('/')
    expect(parts(512)).toHaveLength(4095)
    expect(parseRelativePath(parts(512)).ok).toBe(true)
    expect(messageOf(parts(513))).toContain('it is longer than 4096 bytes')
  })

  test('a long one is named by its beginning', () => {
    expect(messageOf('a'.repeat(5000)).length).toBeLessThan(400)
  })
})

describe('any string', () => {
  test('is a path or a failure, and nothing is thrown', () => {
    fc.assert(fc.property(spellings, spelling => typeof parseDocPath(spelling).ok === 'boolean'))
  })

  test('a docPath is its own docPath', () => {
    fc.assert(
      fc.property(spellings, spelling => {
        const docPath = parseDocPath(spelling)
        if (docPath.ok) expect(parseDocPath(docPath.value)).toEqual(docPath)
      }),
    )
  })

  test('a plain spelling gives the same path as after "./", which goes the long way', () => {
    const words = fc.constantFrom(
      'a',
      'B7',
      '_',
      '-',
      'src',
      'con',
      'NUL',
      'Com1',
      'lpt0',
      'x'.repeat(120),
    )
    const plain = fc
      .tuple(
        words,
        fc.array(fc.tuple(fc.constantFrom('/', '.', '', '..'), words), { maxLength: 5 }),
      )
      .map(([first, rest]) => first + rest.flat().join(''))
    fc.assert(
      fc.property(plain, spelling => {
        const [direct, tidied] = [parseRelativePath(spelling), parseRelativePath(`./${spelling}`)]
        expect(direct.ok).toBe(tidied.ok)
        if (direct.ok) expect(direct).toEqual(tidied)
      }),
      { numRuns: 1000 },
    )
  })

  verifies(
    ['CONTRACT §2 docPath separators', 'CONTRACT §2 docPath segments'],
    'a docPath has / and no empty, . or .. part',
    () => {
      fc.assert(
        fc.property(spellings, spelling => {
          const docPath = parseDocPath(spelling)
          if (!docPath.ok) return
          expect(docPath.value).not.toContain('\\')
          for (const segment of docPath.value.split('/'))
            expect(['', '.', '..']).not.toContain(segment)
        }),
        { numRuns: 1000 },
      )
    },
  )

  test('capitals, backslashes and decomposed accents lead to the same docPath', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zà-öα-ρτ-ω]{1,8}$/), { minLength: 1, maxLength: 4 }),
        parts => {
          const plain = parts.join('/')
          const other = `.\\${parts.join('\\').toUpperCase().normalize('NFD')}`
          expect(parseDocPath(other)).toEqual(parseDocPath(plain))
        },
      ),
    )
  })
})

test('spellings that fold to one docPath are found together, in the order listed', () => {
  for (const group of vectors.colliding) {
    const listed = ['other.txt', ...group, 'another.txt'] as RelativePath[]
    expect([...findCollisions(listed).values()]).toEqual([group])
  }
  expect(findCollisions(['a.txt', 'b.txt'] as RelativePath[]).size).toBe(0)
})

describe('a chunkPath', () => {
  test('names a place in a document, and is parsed again', () => {
    const docPath = unwrap(parseDocPath('src/Billing/BillingService.cs'))
    const chunkPath = toChunkPath(docPath, 'method', 'CalculateTaxes')
    expect(chunkPath).toBe('src/billing/billingservice.cs#method:CalculateTaxes')
    expect(parseChunkPath(chunkPath)).toEqual(
      ok({ docPath, kind: 'method', name: 'CalculateTaxes' }),
    )
  })

  test.each(['src/a.cs', '#method:A', 'src/a.cs#:A', 'src/a.cs#method:', '../a.cs#method:A'])(
    'is not %j',
    spelling =>
      expect(parseChunkPath(spelling)).toMatchObject({ failure: { code: 'InvalidPath' } }),
  )

  test('of any place is parsed again', () => {
    const words = fc.stringMatching(/^[A-Za-z][\w.]{0,12}$/)
    fc.assert(
      fc.property(words, words, words, (file, kind, name) => {
        const docPath = toDocPath(`src/of_${file}x` as RelativePath) as DocPath // never a device, as "aux" is
        const place = { docPath, kind, name }
        expect(parseChunkPath(toChunkPath(docPath, kind, name))).toEqual(ok(place))
      }),
    )
  })
})

function messageOf(spelling: string): string {
  const result = parseRelativePath(spelling)
  return result.ok ? `accepted as ${result.value}` : result.failure.message
}

test('a drive or a home folder behind a "./" is refused too', () => {
  for (const spelling of ['./c:/x', '.\\C:\\x', './~', './~/x', 'c:x'])
    expect(parseDocPath(spelling).ok, spelling).toBe(false)
})
