import { describe, expect, test } from 'vitest'
import { createColours } from './colours.ts'
import { InputLine } from './input-line.ts'
import { type Key, KeyReader } from './keys.ts'
import { MarkdownLines } from './markdown.ts'
import { Screen } from './screen.ts'
import { clip, widthOf, wrap, wrapHanging } from './text-width.ts'

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
  expect(wrap('a\tb c', 7)).toEqual(['a    b', 'c']) // a tab is as wide as it is written
  expect(wrap('日本語日本語', 4)).toEqual(['日本', '語日', '本語'])
  const { red } = createColours({ isOn: true })
  for (const line of wrap(red('x'.repeat(25)), 10)) expect(widthOf(line)).toBeLessThanOrEqual(10)
})

test('a line that goes on stands below its text, and a marked word colours no indent', () => {
  expect(wrapHanging('  + one two three', 10)).toEqual(['  + one', '    two', '    three'])
  expect(wrapHanging('· one two', 7)).toEqual(['· one', '  two'])
  expect(wrapHanging('one two', 4)).toEqual(['one', 'two'])
  const { red, strongRed } = createColours({ isOn: true })
  const [first, second] = wrapHanging(red(`  - a ${strongRed('two words')} end`), 13)
  expect(first).toBe(`${ESC}[31m  - a ${ESC}[7mtwo${ESC}[27m`)
  expect(second).toBe(`    ${ESC}[7mwords${ESC}[27m end${ESC}[39m`)
})

test('a table has a bold head and numbers on the right where it says so', () => {
  const made = new MarkdownLines(createColours({ isOn: true }), () => 80)
  const lines = made.take('| item | n |\n| :-- | --: |\n| a | 10 |\n\n')
  expect(lines[0]).toBe(`${ESC}[1mitem${ESC}[22m${ESC}[2m │ ${ESC}[22m ${ESC}[1mn${ESC}[22m`)
  expect(lines[1]).toBe(`a   ${ESC}[2m │ ${ESC}[22m10`)
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
