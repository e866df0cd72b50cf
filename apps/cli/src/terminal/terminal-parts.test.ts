import { describe, expect, test } from 'vitest'
import { createColours } from './colours.ts'
import { InputLine } from './input-line.ts'
import { type Key, KeyReader } from './keys.ts'
import { MarkdownLines } from './markdown.ts'
import { Screen } from './screen.ts'
import { clip, widthOf, wrap } from './text-width.ts'

const ESC = '\u001b'

describe('keys', () => {
  const read = (...pieces: string[]) => {
    const reader = new KeyReader()
    return [...pieces.flatMap(piece => reader.take(piece)), ...reader.flush()]
  }

  test('letters, control keys and sequences, also in pieces', () => {
    expect(read('aé日', '\r')).toEqual([text('aé日'), key('enter')])
    expect(read(ESC, '[', 'A')).toEqual([key('up')])
    expect(read(`${ESC}[1;5D`, `${ESC}\r`)).toEqual([key('word-left'), key('newline')])
    expect(read(ESC)).toEqual([key('escape')])
    expect(read(`${ESC}[99;99R`)).toEqual([]) // an answer of the terminal, not a key
  })

  test('a paste never contains an Enter, and its own control characters stay text', () => {
    expect(read(`${ESC}[200~rm -rf\r\n`, `/\r${ESC}[201~x`)).toEqual([
      { type: 'paste', text: 'rm -rf\n/\n' },
      text('x'),
    ])
  })

  function key(name: Extract<Key, { type: 'key' }>['name']): Key {
    return { type: 'key', name }
  }

  function text(given: string): Key {
    return { type: 'text', text: given }
  }
})

describe('the field', () => {
  const press = (field: InputLine, typed: string) => {
    const reader = new KeyReader()
    return [...reader.take(typed), ...reader.flush()].map(each => field.press(each)).at(-1)
  }

  test('edits whole letters and words', () => {
    const field = new InputLine()
    press(field, 'one two 👨‍👩‍👧')
    press(field, '\u007f')
    expect(field.text).toBe('one two ')
    press(field, '\u0017')
    expect(field.text).toBe('one ')
    press(field, `${ESC}[DX`)
    expect(field.text).toBe('oneX ')
  })

  test('a backslash at the end and Alt-Enter make a line; Enter sends all of it', () => {
    const field = new InputLine()
    press(field, 'one\\\r')
    press(field, `two${ESC}\rthree`)
    expect(press(field, '\r')).toEqual({ type: 'submit', text: 'one\ntwo\nthree' })
    expect(field.text).toBe('')
  })

  test('Up brings back what was sent, Down the text that was begun; Ctrl-R finds', () => {
    const field = new InputLine(['first task', 'second task'])
    press(field, 'begun')
    press(field, `${ESC}[A${ESC}[A`)
    expect(field.text).toBe('first task')
    press(field, `${ESC}[B${ESC}[B`)
    expect(field.text).toBe('begun')
    press(field, '\u0012irst')
    press(field, '\r')
    expect(field.text).toBe('first task')
  })

  test('a long line is shown in rows, and what would steer the terminal is spelled out', () => {
    const field = new InputLine()
    field.set({ text: `${'x'.repeat(30)}\u202e`, cursor: 30 })
    const { lines, cursor } = field.view(20, '> ')
    expect(lines).toEqual([`> ${'x'.repeat(17)}`, `  ${'x'.repeat(13)}`, '  \\u{202e}'])
    expect(cursor.line).toBeGreaterThan(0)
  })
})

test('wide letters take two columns, marks none', () => {
  expect(widthOf('aé日')).toBe(4)
  expect(widthOf('e\u0301')).toBe(1)
  expect(widthOf('👍')).toBe(2)
  expect(clip('日本語日本語', 7)).toBe('日本語…')
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('日本語日本語', 4)).toEqual(['日本', '語日', '本語'])
  const { red } = createColours({ isOn: true })
  for (const line of wrap(red('x'.repeat(25)), 10)) expect(widthOf(line)).toBeLessThanOrEqual(10)
})

test('Markdown is readable as it arrives, whatever pieces it comes in', () => {
  const markdown =
    '# Title\n- one **two**\n```ts\nconst a = 1\n```\n| a | b |\n|---|---|\n| 1 | 22 |\nend [x](y)'
  const whole = lines(markdown, markdown.length)
  expect(whole).toEqual([
    'Title',
    '• one two',
    '  ts',
    '  const a = 1',
    'a │ b',
    '1 │ 22',
    'end x (y)',
  ])
  for (const size of [1, 2, 7]) expect(lines(markdown, size)).toEqual(whole)

  function lines(text: string, size: number): string[] {
    const made = new MarkdownLines(createColours({ isOn: false }), () => 80)
    const found: string[] = []
    for (let at = 0; at < text.length; at += size)
      found.push(...made.take(text.slice(at, at + size)))
    return [...found, ...made.end()]
  }
})

test('of the live lines only those that differ are written again', () => {
  const written: string[] = []
  const screen = new Screen({ columns: 80, rows: 24, write: text => void written.push(text) })
  screen.show(['status one', '> field'], { line: 1, column: 2 })
  written.length = 0
  screen.show(['status one', '> fields'], { line: 1, column: 8 })
  expect(written.join('')).not.toContain('status one')
  expect(written.join('')).toContain('> fields')
  written.length = 0
  screen.show(['status one', '> fields'], { line: 1, column: 8 })
  expect(written).toEqual([])
})
