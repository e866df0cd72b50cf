import { expect, test } from 'vitest'
import { parseTable, separatorOf } from './csv.ts'

test('quotes hold separators, line ends and quotes', () => {
  expect(parseTable('a,"b, ""c""\nd"\r\ne,\n', ',')).toEqual([
    ['a', 'b, "c"\nd'],
    ['e', ''],
  ])
  expect(parseTable('', ',')).toEqual([])
  expect(parseTable('\ufeffa;b', ';')).toEqual([['a', 'b']])
  expect(parseTable('"open', ',')).toEqual([['open']])
})

test('the separator is the one that the first lines use', () => {
  expect(separatorOf('a;b;c\n1,5;2;3', 'csv')).toBe(';')
  expect(separatorOf('"a;b;c",d', 'csv')).toBe(',')
  expect(separatorOf('a', 'tsv')).toBe('\t')
})
