import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { buildZip } from '../../../opc/zip.contract.ts'
import { docxFormat } from '../format.ts'
import { canonical } from './canonical.contract.ts'
import {
  bodyAfter,
  logged,
  NAME,
  openZoo,
  p,
  partText,
  r,
  saved,
  shown,
  W,
  type ZooDocument,
  zooDocument,
} from './zoo.contract.ts'

const fill = (placeholders: Record<string, unknown>, more: object = {}): Operation => ({
  op: 'fill_placeholders',
  placeholders,
  ...more,
})
const cell = (text: string) => `<w:tc><w:tcPr/>${p(text)}</w:tc>`
const row = (...texts: readonly string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`
const table = (...rows: readonly string[]) =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/><w:gridCol w:w="1"/></w:tblGrid>${rows.join('')}</w:tbl>`
const merge = (name: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> MERGEFIELD ${name} \\* MERGEFORMAT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r(`«${name}»`, '<w:b/>')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
const W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
const prompt = r('Click here', '<w:rStyle w:val="PlaceholderText"/>')

function filled(body: string, operation: Operation) {
  const { document, bytes } = openZoo({ body })
  const { results, warnings } = unwrap(document.apply(logged([operation])))
  return { result: results[0]!, warnings, lines: shown(saved(document, bytes).document) }
}

function refused(body: string, operation: Operation): string {
  const { document, bytes } = openZoo({ body })
  const result = document.apply(logged([operation]))
  expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
  return result.ok ? 'done' : result.failure.message
}

describe('placeholders in text', () => {
  test('are filled by name over runs, in the look they have', () => {
    expect(
      bodyAfter(
        p(
          'Dear ',
          r('{{cli', '<w:b/>'),
          r('ent_name}}', '<w:b/>'),
          ', [Date] «City» &lt;&lt;Sum&gt;&gt;',
        ),
        fill({ 'Client name': 'Ann', date: 'today', city: 'Rome', SUM: 3 }),
      ),
    ).toBe(p('Dear ', r('Ann', '<w:b/>'), ', today Rome 3'))
  })

  test('without a name take a list in order, the label in front or their paragraph', () => {
    const body = p('[●] and [●]') + p('Name: ____  Place: _______') + p('____')
    const { lines } = filled(
      body,
      fill({ '[●]': ['one', 'two'], Name: 'Ann', place: 'Rome', p3: 'x' }),
    )
    expect(lines).toEqual(['p1|one and two', 'p2|Name: Ann  Place: Rome', 'p3|x'])
    expect(refused(body, fill({ '[●]': 'one' }))).toContain('there are 2 placeholders "[●]"')
  })

  test('take the value of their own paragraph before the one of their name', () => {
    const body = p('{{When}}') + p('{{When}}') + p('{{When}} {{p1}}')
    const { lines, warnings } = filled(body, fill({ When: 'now', p2: 'then' }))
    expect(lines).toEqual(['p1|now', 'p2|then', 'p3|now {{p1}}'])
    expect(warnings).toEqual(['1 placeholder stayed open: {{p1}} (p3).'])
    // where a placeholder has that name, it means the placeholder
    expect(filled(body, fill({ When: 'now', p1: 'x' })).lines[0]).toBe('p1|now')
  })

  test('that are highlighted lose the highlighting with the fill', () => {
    const marked = '<w:highlight w:val="yellow"/>'
    expect(
      bodyAfter(
        p('Fee ', r('amount', marked), ' ', r('{{x}}', marked)),
        fill({ amount: '5', x: '6' }),
      ),
    ).toBe(p('Fee ', '<w:r><w:t xml:space="preserve">5</w:t></w:r>', ' ', r('6')))
  })

  test('of a merge take the place of their field', () => {
    expect(bodyAfter(p('Dear ', merge('Name'), '!'), fill({ name: 'Ann' }))).toBe(
      p('Dear ', '<w:r><w:rPr><w:b/></w:rPr><w:t>Ann</w:t></w:r>', '!'),
    )
    const simple = `<w:fldSimple w:instr=" MERGEFIELD Name ">${r('«Name»')}</w:fldSimple>`
    expect(bodyAfter(p('Dear ', simple), fill({ name: 'Ann' }))).toBe(
      p('Dear ', '<w:r><w:t>Ann</w:t></w:r>'),
    )
  })

  test('that stay open are named, and so are values that nothing asked for', () => {
    const { result, warnings } = filled(p('{{a}} {{b}}'), fill({ a: 1, c: 2 }))
    expect(result).toMatchObject({ filled: 1, unfilled: [{ text: '{{b}}', paragraph: 'p1' }] })
    expect(warnings).toEqual([
      '1 placeholder stayed open: {{b}} (p1).',
      'no placeholder is called "c", so that value was not used.',
    ])
    expect(refused(p('{{a}}'), fill({ c: 2 }))).toContain('the placeholders are {{a}} (p1)')
  })

  test('take nested data', () => {
    expect(filled(p('{{client.name}}'), fill({ client: { name: 'Ann' } })).lines).toEqual([
      'p1|Ann',
    ])
  })
})

describe('content controls', () => {
  test('take text in place of their prompt, around paragraphs too', () => {
    const body =
      p('a ', control('<w:alias w:val="Client"/><w:showingPlcHdr/>', prompt)) +
      control('<w:tag w:val="note"/><w:showingPlcHdr/>', p(prompt) + p(prompt))
    const after = bodyAfter(body, fill({ client: 'Ann', Note: 'long' }))
    expect(after).not.toContain('Placeholder')
    expect(after).not.toContain('showingPlcHdr')
    expect(filled(body, fill({ client: 'Ann', Note: 'long' })).lines).toEqual([
      'p1|a Ann',
      'p2|long',
    ])
  })

  test('check boxes, drop-downs and dates take their value', () => {
    const box = control(
      `<w:alias w:val="Agreed"/><w14:checkbox ${W14}><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>`,
      r('☐', '<w:rFonts w:ascii="MS Gothic"/>'),
    )
    const list = control(
      '<w:alias w:val="Size"/><w:showingPlcHdr/><w:dropDownList><w:listItem w:displayText="Small" w:value="s"/><w:listItem w:displayText="Large" w:value="l"/></w:dropDownList>',
      prompt,
    )
    const date = control(
      '<w:alias w:val="Due"/><w:showingPlcHdr/><w:date><w:dateFormat w:val="d MMMM yyyy"/><w:lid w:val="de-DE"/></w:date>',
      prompt,
    )
    const body = p(box, ' ', list, ' ', date)
    const after = bodyAfter(body, fill({ agreed: true, size: 'l', due: '2026-03-05' }))
    expect(after).toContain('<w14:checked w14:val="1"/>')
    expect(after).toContain('w:fullDate="2026-03-05T00:00:00Z"')
    expect(filled(body, fill({ agreed: true, size: 'l', due: '2026-03-05' })).lines).toEqual([
      'p1|☒ Large 5 März 2026',
    ])
    expect(refused(body, fill({ size: 'huge' }))).toContain('its entries are "Small", "Large"')
    expect(refused(body, fill({ due: 'soon' }))).toContain('"2026-03-31"')
    expect(refused(body, fill({ agreed: 'perhaps' }))).toContain('true or false')
  })

  test('that show data of the document write it there too', () => {
    const bound = control(
      '<w:alias w:val="Client"/><w:dataBinding w:prefixMappings="xmlns:n=\'urn:x\'" w:xpath="/n:case[1]/n:client[2]" w:storeItemID="{AB}"/>',
      r('Old'),
    )
    const zoo: ZooDocument = {
      body: p(bound),
      links: [['rId9', 'customXml', '../customXml/item1.xml']],
      parts: {
        'customXml/item1.xml': '<case xmlns="urn:x"><client>A</client><client>Old</client></case>',
        'customXml/itemProps1.xml':
          '<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="{ab}"/>',
        'customXml/_rels/item1.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps" Target="itemProps1.xml"/></Relationships>',
      },
    }
    const { document, bytes } = openZoo(zoo)
    unwrap(document.apply(logged([fill({ client: 'Ann & Co' })])))
    expect(partText(saved(document, bytes).bytes, 'customXml/item1.xml')).toBe(
      '<case xmlns="urn:x"><client>A</client><client>Ann &amp; Co</client></case>',
    )
    expect(refused(p(bound), fill({ client: 'Ann' }))).toContain('which is not there')
  })

  test('that are locked are refused', () => {
    const locked = control('<w:alias w:val="A"/><w:lock w:val="contentLocked"/>', r('x'))
    expect(refused(p(locked), fill({ a: 'y' }))).toContain('is locked')
  })
})

describe('rows of tables', () => {
  const body =
    table(row('Item', 'Price'), row('{{items.name}}', '{{price}} {{cur}}'), row('Sum', '{{sum}}')) +
    p('end')
  const data = {
    items: [
      { name: 'Pen', price: 2 },
      { name: 'Ink', price: 7 },
    ],
    cur: 'EUR',
    sum: 9,
  }

  test('are repeated from a list', () => {
    const { lines, result } = filled(body, fill(data))
    expect(lines.join('\n')).toContain('Pen')
    expect(lines.join('\n').replace(/\w+\|/g, '|')).toMatch(
      /Pen[\s\S]*2 EUR[\s\S]*Ink[\s\S]*7 EUR[\s\S]*Sum[\s\S]*9/,
    )
    expect(result).toMatchObject({ unfilled: [] })
    expect(bodyAfter(body, fill(data)).split('<w:tr>')).toHaveLength(5)
  })

  test('as tracked changes: rejected it is the base, accepted the plain edit', () => {
    const bytes = zooDocument({ body: body + p('{{cur}} ', merge('sum')) })
    const apply = (base: Uint8Array, operation: Operation) => {
      const document = unwrap(docxFormat.open(base, NAME))
      unwrap(document.apply(logged([operation])))
      return toBytes(unwrap(document.content()), base)
    }
    const tracked = apply(bytes, fill(data, { track: { author: 'Ann' } }))
    expect(canonical(apply(tracked, { op: 'reject_revisions' }))).toEqual(canonical(bytes))
    expect(canonical(apply(tracked, { op: 'accept_revisions' }))).toEqual(
      canonical(apply(bytes, fill(data))),
    )
  })
})

test('a report says where the words still stand', () => {
  const { document } = openZoo({
    body:
      p('ACME ', '<w:del w:id="1" w:author="B"><w:r><w:delText>ACME</w:delText></w:r></w:del>') +
      p(
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="ACME logo"/></wp:inline></w:drawing></w:r>',
      ) +
      p('<w:fldSimple w:instr=" DOCPROPERTY ACME "/>'),
    links: [['rId9', 'hyperlink', 'https://example.org/ACME']],
    parts: {
      'docProps/core.xml': '<x>ACME</x>',
      'customXml/item1.xml':
        '<x:ACME xmlns:x="urn:ACME" a="ACME" ACME="b">ACME<ACME/></x:ACME><!--no name-->',
      'word/embeddings/book.xlsx': buildZip([
        { name: '[Content_Types].xml', data: '<Types xmlns="x"/>' },
        { name: 'xl/sharedStrings.xml', data: '<sst><si><t>ACME</t></si></sst>' },
      ]),
    },
  })
  const { warnings } = unwrap(
    document.apply(logged([{ op: 'replace_text', search: 'ACME', replace: 'Foo' }])),
  )
  expect(warnings).toEqual([
    '"ACME" still stands in deleted text (1), alt text (1), field codes (1), link targets (1), document properties (1), custom XML (2), embedded workbooks (1); this operation does not change those.',
  ])
})

test('the map lists placeholders of every kind, in headers too', () => {
  const { document } = openZoo({
    body:
      p('{{a}} [B] ', merge('c'), r('d', '<w:highlight w:val="yellow"/>')) +
      p(control('<w:alias w:val="E"/><w:showingPlcHdr/>', prompt)),
    parts: { 'word/header1.xml': `<w:hdr xmlns:w="${W}">${p('____')}</w:hdr>` },
    links: [['rId9', 'header', 'header1.xml']],
  })
  expect(unwrap(document.map()).fields.placeholders).toEqual([
    { text: '{{a}}', paragraph: 'p1' },
    { text: '[B]', paragraph: 'p1' },
    { text: '«c»', paragraph: 'p1', kind: 'MERGEFIELD' },
    { text: 'd', paragraph: 'p1', kind: 'highlighted' },
    { text: 'E', paragraph: 'p2', kind: 'text' },
    { text: '____', paragraph: 'header1/p1' },
  ])
})
