import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { bodyAfter, logged, openZoo, p } from './zoo.contract.ts'

const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
const gray = '<w:r><w:rPr><w:rStyle w:val="PlaceholderText"/></w:rPr><w:t>[Type here]</w:t></w:r>'
const prompt = control('<w:showingPlcHdr/>', p(gray))

function failure(body: string, operation: Operation): string {
  const result = openZoo({ body }).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

describe('beside a content control', () => {
  const made = '<w:p><w:r><w:t>New</w:t></w:r></w:p>'
  const insert = { op: 'insert_paragraph', after: 'p2', text: 'New' }

  test('what comes after a prompt stands behind its control, and not in the look of the prompt', () => {
    expect(bodyAfter(p('A') + prompt + p('B'), insert)).toContain(prompt + made + p('B'))
    const markdown = { op: 'insert_markdown', before: 'p2', markdown: 'New' }
    expect(bodyAfter(p('A') + prompt + p('B'), markdown)).toContain(p('A') + made + prompt)
  })

  test('a plain text, a date and a locked control take no block more', () => {
    for (const kind of ['<w:text/>', '<w:date/>', '<w:lock w:val="contentLocked"/>']) {
      const filled = control(kind, p('Weber'))
      expect(bodyAfter(p('A') + filled + p('B'), insert)).toContain(filled + made)
    }
  })

  test('rich text does', () => {
    expect(bodyAfter(p('A') + control('', p('Weber')) + p('B'), insert)).toContain(
      control('', p('Weber') + made),
    )
  })

  test('a moved paragraph stands behind the control too', () => {
    const move = { op: 'move_paragraph', place: 'p1', after: 'p2' }
    expect(bodyAfter(p('A') + prompt + p('B'), move)).toContain(prompt + p('A') + p('B'))
  })

  test('where a cell is the control, the answer says what works', () => {
    const cell = `<w:tc>${p('')}</w:tc>`
    const body = `${p('A')}<w:tbl><w:tr>${control('<w:showingPlcHdr/>', `<w:tc>${p(gray)}</w:tc>`)}${cell}</w:tr></w:tbl>${p('B')}`
    expect(failure(body, insert)).toContain('set its text with set_table, or fill it')
    const locked = control('<w:lock w:val="contentLocked"/>', `<w:tc>${p('x')}</w:tc>`)
    expect(failure(body.replace(/<w:sdt>.*<\/w:sdt>/, locked), insert)).toContain(
      'in a content control that is locked',
    )
  })

  test('a prompt is named by the map as before', () => {
    const { document } = openZoo({ body: p('A') + prompt })
    unwrap(document.apply(logged([insert])))
    expect(unwrap(document.map()).fields.placeholders).toMatchObject([{ text: '[Type here]' }])
  })
})
