import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../decode/text.ts'
import { searchText } from './search.ts'

const search = (text: string, query: Partial<Parameters<typeof searchText>[1]>) =>
  searchText(decodeText(Buffer.from(text)), { maxHits: 1000, ...query })

const pieces = [
  ...['a', 'b', ' ', '.', '\\s', '\\S', '\\w', '\\W', '\\D', '\\b', '^', '$', '[^a]', '[\\s\\S]'],
  ...['[^-a]', '[a-]', '[\\W]', '(?:a|b)', '(?=b)', '(?!a)', '(?<=a)', '\\n', '(a)\\1', '[^]'],
]
const counts = ['', '*', '+', '?', '{1,2}']

test('an expression matches exactly the lines it matches alone', () => {
  const part = fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...counts))
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', 'é', '\t'), maxLength: 6 })
  const ends = fc.constantFrom('\n', '\r\n')
  const lines = fc.array(fc.tuple(line, ends), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), lines, (parts, ended) => {
      const source = parts.map(([piece, count]) => (isAssertion(piece) ? piece : piece + count))
      const regex = new RegExp(source.join(''))
      const text = ended.flat().join('')
      const alone = ended.flatMap(([only], i) => (regex.test(only) ? [i + 1] : []))
      const found = search(text, { regex })
      expect(found.hits.map(({ region }) => region.line_start)).toEqual(alone)
      expect(found.total).toBe(alone.length)
    }),
    { numRuns: 2000 },
  )
})

function isAssertion(piece: string): boolean {
  return /^(?:\^|\$|\\b|\(\?[=!<])/.test(piece)
}

test('an expression that could run on over line ends stays within its line', () => {
  const text = 'x'.repeat(40).concat('\n').repeat(20_000)
  expect(search(text, { regex: /[^a]*b|x\s+y|[\s\S]+z/ }).total).toBe(0)
})

test('all lines are counted, and only as many shown as asked for', () => {
  expect(search('a\na\nb\na', { text: 'a', maxHits: 2 })).toMatchObject({
    total: 3,
    isTruncated: true,
    hits: [{ place: 'line 1' }, { place: 'line 2' }],
  })
  expect(search('a\na\n', { text: 'a', maxHits: 0 })).toEqual({
    hits: [],
    total: 2,
    isTruncated: true,
  })
})

test('the lines around a hit are given where they are asked for', () => {
  expect(search('1\n2\n3\n4\n5\n', { text: '2', context: 2 }).hits).toEqual([
    {
      region: { line_start: 2, line_count: 1 },
      place: 'line 2',
      text: '2',
      before: ['1'],
      after: ['3', '4'],
    },
  ])
})

test('letters beyond ASCII are found in any case', () => {
  expect(search('Größe\nGRÖSSE\ngröße', { text: 'GRÖß' }).total).toBe(2)
  expect(search('İstanbul\n', { text: 'stanbul' }).total).toBe(1)
})
