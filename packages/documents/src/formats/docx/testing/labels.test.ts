import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { logged, openZoo, p, r, saved, shown, W } from './zoo.contract.ts'

interface Level {
  readonly text: string
  readonly format?: string
  readonly start?: number
  readonly more?: string
}

function level(at: number, { text, format = 'decimal', start = 1, more = '' }: Level): string {
  return `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
}

function abstract(id: number, levels: readonly Level[], more = ''): string {
  return `<w:abstractNum w:abstractNumId="${id}">${more}${levels.map((own, at) => level(at, own)).join('')}</w:abstractNum>`
}

function num(id: number, of: number, overrides = ''): string {
  return `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${overrides}</w:num>`
}

function numbering(...parts: readonly string[]): string {
  return `<w:numbering xmlns:w="${W}">${parts.join('')}</w:numbering>`
}

function styles(...own: readonly string[]): string {
  return `<w:styles xmlns:w="${W}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${own.join('')}</w:styles>`
}

function style(id: string, basedOn: string, properties: string): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/><w:pPr>${properties}</w:pPr></w:style>`
}

const ilvl = (at: number) => `<w:ilvl w:val="${at}"/>`
const numId = (id: number) => `<w:numId w:val="${id}"/>`
const numPr = (...own: readonly string[]) => `<w:numPr>${own.join('')}</w:numPr>`
const pStyle = (id: string) => `<w:pStyle w:val="${id}"/>`

/** A paragraph with these properties, whose text is `x`. */
function own(properties: string, ...runs: readonly string[]): string {
  return p(`<w:pPr>${properties}</w:pPr>`, ...(runs.length === 0 ? ['x'] : runs))
}

const item = (at: number, id = 1) => own(numPr(ilvl(at), numId(id)))

const LEGAL: readonly Level[] = [{ text: '%1.' }, { text: '%1.%2' }, { text: '%1.%2.%3' }]

function labels(document: Parameters<typeof openZoo>[0]): string[] {
  return shown(openZoo(document).document)
    .flatMap(line => /^p\d+\|(?:#+ )?(?:(.*) )?x$/.exec(line)?.slice(1, 2) ?? [])
    .map(label => label ?? '')
}

/** The labels of items at these levels of one list. */
function counted(levels: readonly Level[], ...at: readonly number[]): string[] {
  return labels({
    body: at.map(each => item(each)).join(''),
    numbering: numbering(abstract(0, levels), num(1, 0)),
  })
}

describe('the list of a paragraph', () => {
  const list = numbering(abstract(0, LEGAL), num(1, 0), num(2, 0))

  test('a style that names only its level takes the list of the style that it is based on', () => {
    const own1 = style('L1', 'Normal', numPr(numId(1)))
    const own2 = style('L2', 'L1', numPr(ilvl(1)))
    const own3 = style('L3', 'L2', numPr(ilvl(2)))
    const body = ['L1', 'L2', 'L3', 'L3', 'L2'].map(id => own(pStyle(id))).join('')
    expect(labels({ body, numbering: list, styles: styles(own1, own2, own3) })).toEqual([
      '1',
      '1.1',
      '1.1.1',
      '1.1.2',
      '1.2',
    ])
  })

  test('a paragraph that names only its level takes the list of its style', () => {
    const body = own(pStyle('L1')) + own(pStyle('L1') + numPr(ilvl(1)))
    const own1 = style('L1', 'Normal', numPr(numId(1)))
    expect(labels({ body, numbering: list, styles: styles(own1) })).toEqual(['1', '1.1'])
  })

  test('list 0 ends the list of the style', () => {
    const body = own(pStyle('L1') + numPr(numId(0))) + own(pStyle('Off')) + own(pStyle('L1'))
    const own1 = style('L1', 'Normal', numPr(numId(1)))
    const off = style('Off', 'L1', numPr(numId(0)))
    expect(labels({ body, numbering: list, styles: styles(own1, off) })).toEqual(['', '', '1'])
  })

  test('a level that names a style is the level of that style, and of those based on it', () => {
    const linked = LEGAL.map((each, at) => ({ ...each, more: pStyle(`H${at + 1}`) }))
    const body = ['H1', 'H2', 'Mine'].map(id => own(pStyle(id))).join('')
    const made = [
      style('H1', 'Normal', numPr(numId(1))),
      style('H2', 'H1', ''),
      style('Mine', 'H2', ''),
    ]
    const own1 = numbering(abstract(0, linked), num(1, 0))
    expect(labels({ body, numbering: own1, styles: styles(...made) })).toEqual(['1', '1.1', '1.2'])
  })

  test('a list that takes its levels from a list style keeps its own overrides', () => {
    const linking = `<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Legal"/></w:abstractNum>`
    const override = `<w:lvlOverride w:ilvl="0">${level(0, { text: 'Article %1' })}</w:lvlOverride>`
    const own1 = numbering(
      abstract(0, LEGAL, '<w:styleLink w:val="Legal"/>'),
      linking,
      num(1, 1, override),
    )
    expect(labels({ body: item(0) + item(1), numbering: own1 })).toEqual(['Article 1', '1.1'])
  })
})

describe('counting', () => {
  test('a level restarts after a level above', () =>
    expect(counted(LEGAL, 0, 1, 1, 0, 1, 2, 1)).toEqual([
      ...['1', '1.1', '1.2', '2', '2.1', '2.1.1', '2.2'],
    ]))

  test('a level that is told so restarts after that level alone, or never', () => {
    const restart = (after: number): Level => ({
      text: '%3',
      more: `<w:lvlRestart w:val="${after}"/>`,
    })
    const plain = LEGAL.slice(0, 2)
    const ends = (list: string[]) => list.map(each => each.slice(-1))
    expect(ends(counted([...plain, restart(1)], 0, 1, 2, 1, 2, 0, 2))[4]).toBe('2')
    expect(ends(counted([...plain, restart(1)], 0, 1, 2, 1, 2, 0, 2))[6]).toBe('1')
    expect(ends(counted([...plain, restart(0)], 0, 1, 2, 1, 2, 0, 2))[6]).toBe('3')
  })

  test('a level that was left out counts as begun', () =>
    expect(counted(LEGAL, 1, 1, 0, 2)).toEqual(['1.1', '1.2', '2', '2.1.1']))

  test('a list that starts elsewhere starts there again after a level above', () => {
    const start = `<w:lvlOverride w:ilvl="1"><w:startOverride w:val="5"/></w:lvlOverride>`
    const own1 = numbering(abstract(0, LEGAL), num(1, 0), num(2, 0, start))
    const body = item(0) + item(1) + item(1, 2) + item(1, 2) + item(0, 2) + item(1, 2) + item(1)
    expect(labels({ body, numbering: own1 })).toEqual([
      ...['1', '1.1', '1.5', '1.6', '2', '2.5', '2.6'],
    ])
  })

  test('a level that was left out begins where its definition says, not where the list starts', () => {
    const start = `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>`
    const own1 = numbering(abstract(0, LEGAL), num(1, 0), num(2, 0, start))
    const body = item(1, 2) + item(0, 1) + item(0, 2)
    expect(labels({ body, numbering: own1 })).toEqual(['1.1', '2', '5'])
  })

  test('an empty paragraph that holds a section break has no number, one with text has', () => {
    const section = '<w:sectPr/>'
    const list = numPr(ilvl(0), numId(1))
    const body = `${item(0)}<w:p><w:pPr>${list}${section}</w:pPr></w:p>${item(0)}`
    const written = own(list + section) + item(0)
    const own1 = numbering(abstract(0, LEGAL), num(1, 0))
    expect(labels({ body: body + written, numbering: own1 })).toEqual(['1', '2', '3', '4'])
  })

  test('paragraphs that tracked changes take away are not counted', () => {
    const list = numPr(ilvl(0), numId(1))
    const marked = (mark: string) => own(`${list}<w:rPr>${mark}</w:rPr>`, '<w:r/>')
    const row = `<w:tbl><w:tr><w:trPr><w:del w:id="3" w:author="A"/></w:trPr><w:tc>${item(0)}</w:tc></w:tr></w:tbl>`
    const gone =
      marked('<w:del w:id="1" w:author="A"/>') + marked('<w:moveFrom w:id="2" w:author="A"/>')
    const own1 = numbering(abstract(0, LEGAL), num(1, 0))
    expect(labels({ body: item(0) + gone + row + item(0), numbering: own1 }).at(-1)).toBe('2')
  })

  test('hidden paragraphs are not counted, those whose mark alone is hidden are', () => {
    const hidden = '<w:rPr><w:vanish/></w:rPr>'
    const list = numPr(ilvl(0), numId(1))
    const body = item(0) + own(list + hidden, r('x', '<w:vanish/>')) + own(list + hidden) + item(0)
    const own1 = numbering(abstract(0, LEGAL), num(1, 0))
    expect(labels({ body, numbering: own1 })).toEqual(['1', '', '2', '3'])
  })
})

describe('the text of a label', () => {
  const format = (name: string, start: number) =>
    counted([{ text: '%1.', format: name, start }], 0)[0]

  test.each([
    ['decimal', 12, '12'],
    ['decimalZero', 7, '07'],
    ['lowerLetter', 26, 'z'],
    ['lowerLetter', 27, 'aa'],
    ['upperLetter', 53, 'AAA'],
    ['lowerRoman', 1999, 'mcmxcix'],
    ['upperRoman', 4, 'IV'],
    ['ordinal', 11, '11th'],
    ['ordinal', 22, '22nd'],
    ['cardinalText', 1, 'One'],
    ['cardinalText', 21, 'Twenty-one'],
    ['cardinalText', 115, 'One hundred fifteen'],
    ['ordinalText', 3, 'Third'],
    ['ordinalText', 42, 'Forty-second'],
    ['ordinalText', 100, 'One hundredth'],
    ['numberInDash', 3, '- 3 -'],
    ['russianLower', 2, 'б'],
    ['hex', 27, '1B'],
  ])('%s %i is %s', (name, start, label) => expect(format(name, start)).toBe(label))

  test('a format that is not known here gives no label, and is counted', () => {
    const chinese = { text: '%1', format: 'ideographLegalTraditional' }
    expect(counted([chinese, { text: '(%2)' }], 0, 1)).toEqual(['', '(1)'])
  })

  test('a level without a number shows its words', () => {
    expect(
      counted(
        [
          { text: 'Note %1', format: 'none' },
          { text: '%2', format: 'none' },
        ],
        0,
        1,
      ),
    ).toEqual(['Note', ''])
  })

  test('a legal label is in decimal numbers, unless it is told not to be', () => {
    const roman = { text: 'Article %1', format: 'upperRoman' }
    const legal = (on: string) => [roman, { text: '%1.%2', more: `<w:isLgl${on}/>` }]
    expect(counted(legal(''), 0, 0, 1)).toEqual(['Article I', 'Article II', '2.1'])
    expect(counted(legal(' w:val="0"'), 0, 0, 1).at(-1)).toBe('II.1')
  })

  test('a format of other programs has its pattern beside it', () => {
    const custom = `<w:numbering xmlns:w="${W}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><mc:AlternateContent><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>${num(1, 0)}</w:numbering>`
    expect(labels({ body: item(0), numbering: custom })).toEqual(['003'])
  })
})

describe('a label as a place', () => {
  const heading = (at: number, text: string) =>
    own(`<w:outlineLvl w:val="${at}"/>${numPr(ilvl(at), numId(1))}`, text)
  const BODY =
    ['Contents', 'Parties', 'Notes'].map(text => own('<w:outlineLvl w:val="0"/>', text)).join('') +
    heading(0, 'Scope') +
    heading(1, 'Work') +
    p('What is done.') +
    heading(0, 'Price') +
    p('What is paid.')
  const ARTICLES = numbering(abstract(0, [{ text: 'Article %1.' }, { text: '%1.%2' }]), num(1, 0))
  const PLAIN = numbering(abstract(0, LEGAL), num(1, 0))
  const open = (list = PLAIN) => openZoo({ body: BODY, numbering: list })
  const refusal = (operation: Record<string, unknown> & { op: string }) => {
    const result = open().document.apply(logged([operation]))
    return result.ok ? '' : result.failure.message
  }

  test('a section is named by its label before its index, and the answer says so', () => {
    const { document } = open()
    const read = unwrap(document.read({ section: '2' }, { maxBytes: 9999 }))
    expect(read.text).toBe('p7|# 2 Price\np8|What is paid.')
    expect(read.shown).toBe('section 2 by its label; the one with index 2 is "Parties" (p2)')
    expect(unwrap(document.read({ section: '3' }, { maxBytes: 9999 })).text).toBe('p3|# Notes')
  })

  test('a label counts with and without its word and its point', () => {
    for (const section of ['Article 2.', 'Article 2', 'article 2', '2'])
      expect(shown(open(ARTICLES).document, { section })[0]).toBe('p7|# Article 2 Price')
  })

  test('the clause of the label is deleted with what belongs to it', () => {
    const { document, bytes } = open()
    unwrap(document.apply(logged([{ op: 'delete_paragraph', place: '1.1' }])))
    expect(shown(saved(document, bytes).document).join(' ')).toBe(
      'p1|# Contents p2|# Parties p3|# Notes p4|# 1 Scope p5|# 2 Price p6|What is paid.',
    )
  })

  test('a number that is a label and another paragraph is refused with both', () => {
    const message = refusal({ op: 'delete_paragraph', place: '2' })
    expect(message).toContain('"2" may mean the paragraph p2 or the label 2 of p7')
    expect(refusal({ op: 'set_paragraph', place: '2', text: 'x' })).toContain('may mean')
    expect(refusal({ op: 'delete_paragraph', place: 2 })).toBe('')
    expect(shown(open().document, { paragraphs: '2' })).toEqual(['p2|# Parties'])
  })

  test('the style of a heading goes to the clause of the label alone', () => {
    const { document, bytes } = openZoo({ body: BODY, numbering: PLAIN })
    unwrap(document.apply(logged([{ op: 'set_style', place: '1.1', style: 'Heading 3' }])))
    expect(shown(saved(document, bytes).document).slice(4, 6)).toEqual([
      'p5|## 1.1 Work',
      'p6|What is done.',
    ])
  })
})
