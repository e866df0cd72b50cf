import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { canonical } from './canonical.contract.ts'
import { bodyAfter, logged, openZoo, p, partText, r, saved, shown } from './zoo.contract.ts'

const mark = (type: string, inner = '') =>
  `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`
const code = (text: string) =>
  `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`
/** A field as programs write it that leave the result to Word. */
const bare = (text: string) => mark('begin') + code(text) + mark('end')
const field = (text: string, result: string) =>
  mark('begin') + code(text) + mark('separate') + r(result) + mark('end')
const form = (kind: string, properties: string, result = '') =>
  mark('begin', `<w:ffData>${properties}</w:ffData>`) +
  code(kind) +
  (result === '' ? '' : mark('separate') + result) +
  mark('end')
const box = (name: string, state = '') =>
  form('FORMCHECKBOX', `<w:name w:val="${name}"/><w:checkBox><w:sizeAuto/>${state}</w:checkBox>`)
const link = (text: string) => `<w:hyperlink w:anchor="x">${r(text)}</w:hyperlink>`

function after(body: string, ...operations: readonly Operation[]) {
  const { document, bytes } = openZoo({ body })
  unwrap(document.apply(logged(operations)))
  const own = saved(document, bytes)
  expect(newRepairFaults(bytes, own.bytes)).toEqual([])
  return { lines: shown(own.document), xml: partText(own.bytes), bytes: own.bytes }
}

function refused(body: string, operation: Operation): string {
  const result = openZoo({ body }).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

describe('a field that shows nothing yet', () => {
  const page = p('Page ', bare('PAGE'), ' of ', bare('NUMPAGES'))

  test('is a token where it stands, and an index entry is none', () => {
    expect(shown(openZoo({ body: page }).document)).toEqual(['p1|Page ⟦PAGE⟧ of ⟦NUMPAGES⟧'])
    const simple = p('Dated ', '<w:fldSimple w:instr=" DATE "/>')
    expect(shown(openZoo({ body: simple }).document)).toEqual(['p1|Dated ⟦DATE⟧'])
    const entry = p('an ', bare('XE "word"'), 'entry')
    expect(shown(openZoo({ body: entry }).document)).toEqual(['p1|an entry'])
    expect(after(entry, { op: 'replace_text', search: 'an entry', replace: 'one' }).lines).toEqual([
      'p1|one',
    ])
  })

  test('keeps its place when the text around it is set', () => {
    const set = { op: 'set_paragraph', place: 'p1', text: 'Sheet ⟦PAGE⟧ from ⟦NUMPAGES⟧ in all' }
    const wanted = ['p1|Sheet ⟦PAGE⟧ from ⟦NUMPAGES⟧ in all']
    expect(after(page, set).lines).toEqual(wanted)
    expect(after(page, { ...set, track: { author: 'Ann' } }).lines.slice(0, 1)).toEqual(wanted)
    expect(refused(page, { ...set, text: 'Sheet ⟦PAGE⟧' })).toContain('would lose ⟦NUMPAGES⟧')
  })

  test.each([false, { author: 'Ann' }])('takes text on both sides, tracked: %j', track => {
    const body = p(bare('PAGE'), bare('NUMPAGES'))
    for (const text of ['a ⟦PAGE⟧⟦NUMPAGES⟧', '⟦PAGE⟧ / ⟦NUMPAGES⟧', '⟦PAGE⟧⟦NUMPAGES⟧ z'])
      expect(after(body, { op: 'set_paragraph', place: 'p1', text, track }).lines[0]).toBe(
        `p1|${text}`,
      )
  })
})

describe('text that comes next to a link', () => {
  const body = p('See ', link('here'), ' now.')

  test.each([false, { author: 'Ann' }])('is no part of it, tracked: %j', track => {
    const text = 'See also [here](#x) and there now.'
    const { lines } = after(body, { op: 'set_paragraph', place: 'p1', text, track })
    expect(lines[0]).toBe(`p1|${text}`)
    const end = 'Go to [here](#x) again.'
    const set = { op: 'set_paragraph', place: 'p1', text: end, track }
    expect(after(p('Go to ', link('here')), set).lines[0]).toBe(`p1|${end}`)
    const start = 'Now [here](#x)'
    const before = { op: 'set_paragraph', place: 'p1', text: start, track }
    expect(after(p(link('here')), before).lines[0]).toBe(`p1|${start}`)
    const longer = 'Go to [the place here](#x)'
    const inside = { op: 'set_paragraph', place: 'p1', text: longer, track }
    expect(after(p('Go to ', link('here')), inside).lines[0]).toBe(`p1|${longer}`)
  })

  test('makes no link, which set_hyperlink does, and says which link it left out', () => {
    const set = { op: 'set_paragraph', place: 'p1' }
    const text = 'See [here](https://a.org) now.'
    expect(refused(body, { ...set, text })).toContain('then use set_hyperlink')
    const { document } = openZoo({ body })
    const { warnings } = unwrap(document.apply(logged([{ ...set, text: 'See here today.' }])))
    expect(warnings).toEqual([expect.stringContaining('names no link to "#x"')])
    expect(shown(document)).toEqual(['p1|See [here](#x) today.'])
  })
})

describe('what is put behind a field', () => {
  const body = p('See ', field('REF a \\h', 'Section 1'))
  const place = { place: 'p1' }

  test.each<[string, Operation]>([
    ['a footnote', { op: 'add_footnote', ...place, text: 'A note.' }],
    ['a comment', { op: 'add_comment', ...place, text: 'Why?' }],
    ['a bookmark', { op: 'set_bookmark', ...place, name: 'seen' }],
  ])('%s is not in what Word computes', (_, operation) => {
    const { xml } = after(body, operation)
    expect(xml).toContain('Section 1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"')
  })
})

describe('fields of an older form', () => {
  const text = form(
    'FORMTEXT',
    '<w:name w:val="Client"/><w:textInput><w:maxLength w:val="5"/></w:textInput>',
    r('     ', '<w:b/>'),
  )
  const list = form(
    'FORMDROPDOWN',
    '<w:name w:val="Colour"/><w:ddList><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>',
  )
  const body = p('Name: ', text) + p(box('Agreed'), ' agreed ', list)
  const fill = (placeholders: Record<string, unknown>) => ({
    op: 'fill_placeholders',
    placeholders,
  })

  test('are shown with their state and listed as what is to be filled in', () => {
    const { document } = openZoo({ body })
    expect(shown(document)[1]).toBe('p2|⟦check box Agreed ☐⟧ agreed ⟦drop-down Colour "red"⟧')
    expect(unwrap(document.map()).fields.placeholders).toEqual([
      { text: 'Client', paragraph: 'p1', kind: 'text' },
      { text: 'Agreed', paragraph: 'p2', kind: 'check box' },
      { text: 'Colour', paragraph: 'p2', kind: 'drop-down' },
    ])
  })

  test('take their values and stay fields', () => {
    const { lines, xml } = after(body, fill({ client: 'Ann', agreed: true, colour: 'Blue' }))
    expect(lines).toEqual([
      'p1|Name: **Ann**',
      'p2|⟦check box Agreed ☒⟧ agreed ⟦drop-down Colour "blue"⟧',
    ])
    expect(xml.match(/<w:ffData>/g)).toHaveLength(3)
    const again = after(
      xml.slice(xml.indexOf('<w:body>') + 8, xml.indexOf('<w:sectPr>')),
      fill({ client: 'Bob', agreed: false }),
    )
    expect(again.lines[0]).toBe('p1|Name: **Bob**')
    expect(again.lines[1]).toContain('Agreed ☐')
  })

  test('refuse a value that they cannot hold, with what they take', () => {
    expect(refused(body, fill({ client: 'Elizabeth' }))).toContain('at most 5 characters, not 9')
    expect(refused(body, fill({ colour: 'green' }))).toContain('its entries are "red", "blue"')
    expect(refused(body, fill({ agreed: 'perhaps' }))).toContain('true or false')
  })

  test('keep their place when the text around them is set', () => {
    const { lines } = after(body, {
      op: 'set_paragraph',
      place: 'p2',
      text: 'I say ⟦check box Agreed ☐⟧ yes ⟦drop-down Colour "red"⟧',
    })
    expect(lines[1]).toBe('p2|I say ⟦check box Agreed ☐⟧ yes ⟦drop-down Colour "red"⟧')
  })
})

describe('a control that holds a placeholder', () => {
  const control = (properties: string, content: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`

  test('is one thing to fill in, by its name or its words', () => {
    const body = p('Pages: ', control('<w:alias w:val="Count"/><w:text/>', r('[Type number]')))
    const { document } = openZoo({ body })
    expect(unwrap(document.map()).fields.placeholders).toEqual([
      { text: 'Count', paragraph: 'p1', kind: 'text' },
    ])
    for (const name of ['Count', 'Type number']) {
      const { document: own, bytes } = openZoo({ body })
      const placeholders = { [name]: '3' }
      const { results } = unwrap(own.apply(logged([{ op: 'fill_placeholders', placeholders }])))
      expect(results[0]?.message).toContain('Filled 1 placeholder')
      expect(shown(saved(own, bytes).document)).toEqual(['p1|Pages: 3'])
    }
  })
})

describe('the prompt of an empty control around a paragraph', () => {
  const prompt = `<w:sdt><w:sdtPr><w:alias w:val="Earth"/><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent>${p('Click here')}</w:sdtContent></w:sdt>`
  const body = p('one') + prompt

  test('is no text: it is shown as a prompt, never matched, and filled by its name', () => {
    expect(shown(openZoo({ body }).document)).toEqual(['p1|one', 'p2|⟦prompt "Click here"⟧'])
    const replace = { op: 'replace_text', search: 'Click here', replace: 'x' }
    expect(refused(body, replace)).toContain('"Click here" was not found')
    expect(refused(body, { ...replace, nth: 1 })).toContain('"Click here" was not found')
    expect(refused(body, { op: 'set_paragraph', place: 'p2', text: 'x' })).toContain(
      'use fill_placeholders with {"p2"',
    )
    const fill = { op: 'fill_placeholders', placeholders: { Earth: 'Blue' } }
    expect(after(body, fill).lines).toEqual(['p1|one', 'p2|Blue'])
  })
})

describe('marks that a new text drops', () => {
  test('go with the spaces between the words, in one run', () => {
    const bold = '<w:b/><w:sz w:val="30"/>'
    const set = { op: 'set_paragraph', place: 'p1', text: 'one two three' }
    expect(bodyAfter(p(r('one two three', bold)), set)).toBe(
      p(r('one two three', '<w:sz w:val="30"/>')),
    )
  })

  test('leave no empty properties', () => {
    const set = { op: 'set_paragraph', place: 'p1', text: 'one two' }
    expect(bodyAfter(p(r('one two', '<w:b/>')), set)).toBe(p('one two'))
  })

  test('tracked and rejected are there again', () => {
    const body = p(r('one two', '<w:b/>'))
    const { bytes } = openZoo({ body })
    const track = { author: 'Ann' }
    const edited = after(body, { op: 'set_paragraph', place: 'p1', text: 'one two', track })
    expect(edited.xml).toContain('<w:rPrChange')
    const back = after(
      edited.xml.slice(edited.xml.indexOf('<w:body>') + 8, edited.xml.indexOf('<w:sectPr>')),
      { op: 'reject_revisions' },
    )
    expect(canonical(back.bytes)).toEqual(canonical(bytes))
  })
})

test('a tracked move into a new table leaves nothing behind when both are rejected', () => {
  const track = { author: 'Ann' }
  const body = p('one') + p('two')
  const { document, bytes } = openZoo({ body })
  const table = { op: 'insert_table', after: 'p2', values: [['a']], track }
  unwrap(document.apply(logged([table])))
  const cell = (
    unwrap(document.read({}, { maxBytes: 1_000 })).fields.paragraphs as {
      id: string
      cell?: string
    }[]
  ).find(own => own.cell)!.id
  unwrap(
    document.apply(logged([{ op: 'move_paragraph', place: 'p1', before: cell, track }], 'tc_2')),
  )
  unwrap(document.apply(logged([{ op: 'reject_revisions' }], 'tc_3')))
  expect(canonical(saved(document, bytes).bytes)).toEqual(canonical(bytes))
})

test('a paragraph is not moved into its own text box', () => {
  const inside = `<w:txbxContent>${p('in')}</w:txbxContent>`
  const shape = `<w:r><w:pict><v:shape><v:textbox>${inside}</v:textbox></v:shape></w:pict></w:r>`
  const move = { op: 'move_paragraph', place: 'p1', after: 'p2' }
  expect(refused(p(shape) + p('end'), move)).toContain('which is in its own text box')
})

describe('a text box in two forms', () => {
  const content = (text: string) => `<w:txbxContent>${text}</w:txbxContent>`
  const box = (newer: string, older: string) =>
    p(
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData uri="x"><wps:wsp><wps:txbx>${content(newer)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${content(older)}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    )
  const body = box(p('one') + p('two'), p('one') + p('<w:r><w:t>two</w:t></w:r>')) + p('end')
  const contentsOf = (xml: string) =>
    [...xml.matchAll(/<w:txbxContent>(.*?)<\/w:txbxContent>/g)].map(match => match[1]!)

  test.each<[string, Operation]>([
    ['inserted', { op: 'insert_paragraph', after: 'p2', text: 'new' }],
    ['deleted', { op: 'delete_paragraph', place: 'p2' }],
    ['moved', { op: 'move_paragraph', place: 'p2', after: 'p3' }],
    ['made a table', { op: 'insert_table', after: 'p2', values: [['a', 'b']] }],
  ])('has in both what was %s, and keeps the rest of each', (_, operation) => {
    const { xml } = after(body, operation)
    const [newer, older] = contentsOf(xml)
    expect(older?.replaceAll(' xml:space="preserve"', '')).toBe(
      newer?.replaceAll(' xml:space="preserve"', ''),
    )
    expect(older).not.toBe(contentsOf(body)[1])
    expect(older).toContain('<w:r><w:t>two</w:t></w:r>')
    const track = { author: 'Ann' }
    const { bytes } = openZoo({ body })
    const edited = after(body, { ...operation, track })
    const inner = edited.xml.slice(
      edited.xml.indexOf('<w:body>') + 8,
      edited.xml.lastIndexOf('<w:sectPr>'),
    )
    if (operation.op !== 'insert_table')
      expect(canonical(after(inner, { op: 'reject_revisions' }).bytes)).toEqual(canonical(bytes))
  })
})
