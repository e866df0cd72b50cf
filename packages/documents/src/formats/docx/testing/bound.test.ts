import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { logged, openZoo, p, partText, r, saved, type ZooDocument } from './zoo.contract.ts'

const DATA = 'customXml/item1.xml'

function control(content: string, more = ''): string {
  return `<w:sdt><w:sdtPr><w:alias w:val="Client"/>${more}<w:dataBinding w:xpath="/case[1]/client[1]" w:storeItemID="{AB}"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
}

function withData(body: string): ZooDocument {
  return {
    body,
    links: [['rId9', 'customXml', `../${DATA}`]],
    parts: {
      [DATA]: '<case><client>Old Ltd</client></case>',
      'customXml/itemProps1.xml':
        '<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="{AB}"/>',
      'customXml/_rels/item1.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps" Target="itemProps1.xml"/></Relationships>',
    },
  }
}

const REPLACE = { op: 'replace_text', search: 'Old', replace: 'New' }
const INLINE = p('For ', control(r('Old') + r(' Ltd', '<w:b/>')), '.')
const BLOCK = control(p('Old Ltd'))

function after(body: string, operation: Operation) {
  const { document, bytes } = openZoo(withData(body))
  const applied = document.apply(logged([operation]))
  return { applied, data: () => partText(saved(document, bytes).bytes, DATA) }
}

describe('a control that shows data of the document', () => {
  test.each([
    ['in a paragraph', INLINE, REPLACE],
    ['around a paragraph', BLOCK, REPLACE],
    ['set as a paragraph', BLOCK, { op: 'set_paragraph', place: 'p1', text: 'New Ltd' }],
  ])('%s: new text is written into the data', (_, body, operation) => {
    const { applied, data } = after(body, operation)
    unwrap(applied)
    expect(data()).toBe('<case><client>New Ltd</client></case>')
  })

  test('text beside it leaves the data alone', () => {
    const { applied, data } = after(INLINE, { op: 'replace_text', search: 'For', replace: 'To' })
    unwrap(applied)
    expect(data()).toBe('<case><client>Old Ltd</client></case>')
  })

  test.each([
    ['tracked changes', INLINE, { ...REPLACE, track: true }],
    ['a date', p(control(r('Old'), '<w:date/>')), REPLACE],
  ])('%s have no form there, so the text stays', (_, body, operation) => {
    const { applied } = after(body, operation)
    expect(applied).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  })
})
