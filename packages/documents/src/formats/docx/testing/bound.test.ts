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

  test('an attribute of the data is written too, as a box that is ticked or not', () => {
    const box = `<w:sdt><w:sdtPr><w:alias w:val="Paid"/><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox><w:dataBinding w:xpath="/case[1]/client[1]/@paid" w:storeItemID="{AB}"/></w:sdtPr><w:sdtContent>${r('☒')}</w:sdtContent></w:sdt>`
    const plain = withData(p(box))
    const parts = { ...plain.parts, [DATA]: '<case><client paid="true">Old</client></case>' }
    const fill = { op: 'fill_placeholders', placeholders: { Paid: false } }
    const { document, bytes } = openZoo({ ...plain, parts })
    unwrap(document.apply(logged([fill])))
    const own = saved(document, bytes)
    expect(partText(own.bytes, DATA)).toBe('<case><client paid="false">Old</client></case>')
    expect(partText(own.bytes)).toContain('☐')
    const none = openZoo(plain).document.apply(logged([fill]))
    expect(none).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  })

  test('its name in the data is no word that still stands', () => {
    const fill = { op: 'fill_placeholders', placeholders: { client: 'New' } }
    const { applied } = after(BLOCK.replace('"Client"', '"client"'), fill)
    expect(unwrap(applied).warnings).toEqual([])
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

  test('of a cover page that said nothing yet brings the data of cover pages', () => {
    const binding = (path: string, store: string) =>
      `<w:sdt><w:sdtPr><w:alias w:val="Fax"/><w:showingPlcHdr/><w:dataBinding w:prefixMappings="xmlns:ns0='x'" w:xpath="${path}" w:storeItemID="${store}"/><w:text/></w:sdtPr><w:sdtContent>${r('[Fax]')}</w:sdtContent></w:sdt>`
    const cover = '{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}'
    const { document, bytes } = openZoo({
      ...withData(p(binding('/ns0:CoverPageProperties[1]/ns0:CompanyFax[1]', cover))),
    })
    const fill = { op: 'fill_placeholders', placeholders: { Fax: '030 1' } }
    unwrap(document.apply(logged([fill])))
    const { bytes: written } = saved(document, bytes)
    expect(partText(written, 'customXml/item2.xml')).toContain('<CompanyFax>030 1</CompanyFax>')
    expect(partText(written, 'customXml/itemProps2.xml')).toContain(cover)
    expect(partText(written, 'word/_rels/document.xml.rels')).toContain('customXml/item2.xml')
    expect(partText(written, '[Content_Types].xml')).toContain('/customXml/itemProps2.xml')
    const other = openZoo({ body: p(binding('/ns0:CoverPageProperties[1]/ns0:Other[1]', cover)) })
    expect(other.document.apply(logged([fill]))).toMatchObject({ ok: false })
  })

  test('of a title that the document lacks brings the title', () => {
    const title = `<w:sdt><w:sdtPr><w:alias w:val="Title"/><w:showingPlcHdr/><w:dataBinding w:xpath="/ns1:coreProperties[1]/ns0:title[1]" w:storeItemID="{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"/><w:text/></w:sdtPr><w:sdtContent>${r('[Title]')}</w:sdtContent></w:sdt>`
    const { document, bytes } = openZoo({ body: p(title) })
    const subject = { op: 'set_properties', properties: { subject: 'Water' } }
    const fill = { op: 'fill_placeholders', placeholders: { Title: 'Pumps' } }
    unwrap(document.apply(logged([subject, fill])))
    expect(partText(saved(document, bytes).bytes, 'docProps/core.xml')).toContain(
      '<dc:title>Pumps</dc:title>',
    )
  })
})
