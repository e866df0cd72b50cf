import type { DocPath } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { recognise } from './recognise.ts'

const found = (name: string, bytes: Uint8Array | string) =>
  recognise(name as DocPath, Buffer.from(bytes as string))

describe('spreadsheets of other kinds', () => {
  const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0])

  test.each(['book.xls', 'book.xlsb', 'book.ods'])('%s is read', name => {
    expect(found(name, old).format).toBe('oldbook')
  })

  test('a flat one is refused with an alternative', () => {
    const { format, instead } = found('book.fods', '<office/>')
    expect(format).toBeUndefined()
    expect(instead).toMatch(/^Ask the person to save it as \.xlsx/)
  })

  test('a file that only has the old name is recognised by its bytes', () => {
    expect(found('book.xls', 'PK\u0003\u0004\u0000').instead).toContain('ends in .xlsx')
    expect(found('book.xls', '<table><tr><td>1</td></tr></table>').instead).toContain('.csv')
  })
})
