import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, logged, openZoo, partText, shown, type ZooBook } from '../testing/zoo.contract.ts'

const SHEET1 = 'xl/worksheets/sheet1.xml'
const bold = '<r><rPr><b/></rPr><t>Total sales</t></r>'
const plain = '<r><t xml:space="preserve"> of the year &amp; more</t></r>'
const replace = (search: string, by: string) => ({ op: 'find_replace', search, replace: by })

function book(text: string, prefix?: string): ZooBook {
  const p = prefix ?? ''
  return {
    sheets: { S: `<${p}row r="1"><${p}c r="A1" t="s"><${p}v>0</${p}v></${p}c></${p}row>` },
    strings: [text],
    ...(prefix && { prefix }),
  }
}

describe('a replacement inside a rich text', () => {
  const is = (xml: string) => `<c r="A1" t="inlineStr"><is>${xml}</is></c>`
  test.each<[string, string, string, string]>([
    [
      'in one run',
      'sales',
      'costs',
      `${bold.replace('<t>Total sales', '<t xml:space="preserve">Total costs')}${plain}`,
    ],
    ['in the other', '&', 'and', `${bold}${plain.replace('&amp;', 'and')}`],
    [
      'over both takes the format of the first',
      'sales of',
      'costs in',
      `<r><rPr><b/></rPr><t xml:space="preserve">Total costs in</t></r><r><t xml:space="preserve"> the year &amp; more</t></r>`,
    ],
    ['of a whole run lets it go', 'Total sales', '', plain],
    [
      'of every place',
      'a',
      'A',
      `${bold.replace('<t>Total sales', '<t xml:space="preserve">TotAl sAles')}${plain.replace('year', 'yeAr')}`,
    ],
  ])('%s', (_, search, by, expected) => {
    const { bytes, after, open } = edited(book(`${bold}${plain}`), [replace(search, by)])
    expect(partText(bytes, SHEET1)).toContain(is(expected))
    expect(shown(after, 'S', 'A1')).toBe(shown(open, 'S', 'A1'))
  })

  test('can be made again, and after runs that were just written', () => {
    const { bytes } = edited(book(`${bold}${plain}`), [
      replace('sales', 'costs'),
      replace('costs', 'gains'),
      {
        op: 'set_cells',
        sheet: 'S',
        cells: [
          { cell: 'B1', value: { rich_text: [{ text: 'one', bold: true }, { text: ' two' }] } },
        ],
      },
      replace('ne t', 'nly T'),
    ])
    const text = partText(bytes, SHEET1)
    expect(text).toContain('<rPr><b/></rPr><t xml:space="preserve">Total gains</t>')
    expect(text).toContain(
      '<rPr><b/></rPr><t xml:space="preserve">only T</t></r><r><t xml:space="preserve">wo</t>',
    )
  })

  test('takes the prefix of the sheet, and forgets how the old text is spoken', () => {
    const spoken = `${bold}<rPh sb="0" eb="1"><t>x</t></rPh><phoneticPr fontId="1"/>`
    const { bytes } = edited(book(spoken, 'x:'), [replace('Total', 'All')])
    expect(partText(bytes, SHEET1)).toContain(
      '<x:is><x:r><x:rPr><x:b/></x:rPr><x:t xml:space="preserve">All sales</x:t></x:r></x:is>',
    )
  })

  test('with marks of another vocabulary leaves the text alone plain', () => {
    const odd = '<r><rPr><q:glow xmlns:q="u"/></rPr><t>Total</t></r><r><t> of it</t></r>'
    const { bytes } = edited(book(odd), [replace('Total', 'Sum')])
    expect(partText(bytes, SHEET1)).toContain(is('<t>Sum of it</t>'))
  })

  test('that changes nothing is none', () => {
    const { document } = openZoo(book(bold))
    expect(unwrap(document.apply(logged([replace('sales', 'sales')]))).changes).toEqual([])
  })
})
