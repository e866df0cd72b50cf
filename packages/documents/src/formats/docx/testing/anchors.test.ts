import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { bodyAfter, logged, openZoo, p, r, styled, table } from './zoo.contract.ts'

const BODY = `${styled('Heading1', r('Data'))}${p('Above.')}${table(['A', 'B'], ['1', '2'])}${styled('Heading1', r('Next'))}${p('Below.')}`

/** The blocks of the body in order: its paragraphs as text, a table as its cells. */
function blocksAfter(body: string, ...operations: readonly Operation[]): readonly string[] {
  const text = (xml: string) =>
    [...xml.matchAll(/<w:t[ >][^<]*<\/w:t>/g)].join('').replace(/<[^>]+>/g, '')
  return bodyAfter(body, ...operations)
    .split(/(<w:tbl>.*?<\/w:tbl>)/s)
    .flatMap(part =>
      part.startsWith('<w:tbl>')
        ? [`[${[...part.matchAll(/<w:tc>.*?<\/w:tc>/gs)].map(([cell]) => text(cell)).join('|')}]`]
        : [...part.matchAll(/<w:p[ >].*?<\/w:p>/gs)].map(([own]) => text(own)),
    )
}

describe('after and before, where they name a table', () => {
  test.each<[Operation, number]>([
    [{ op: 'insert_paragraph', before: 't1', text: 'NEW' }, 2],
    [{ op: 'insert_paragraph', after: 't1', text: 'NEW' }, 3],
    [{ op: 'insert_caption', before: 't1', text: 'NEW', caption_label: 'Table' }, 2],
    [{ op: 'insert_toc', after: 't1' }, 3],
    [{ op: 'insert_markdown', after: 't1', markdown: 'NEW' }, 3],
    [{ op: 'insert_list', before: 't1', items: ['NEW'] }, 2],
  ])('%o goes beside it', (operation, at) => {
    const blocks = blocksAfter(BODY, operation)
    expect(blocks).toHaveLength(6)
    expect(blocks[at]).toMatch(/NEW|Update this field/)
    expect(blocks.filter(block => block.startsWith('['))).toEqual(['[A|B|1|2]'])
  })

  test('a section that ends with a table goes on behind it', () => {
    const blocks = blocksAfter(BODY, { op: 'insert_paragraph', after: 'Data', text: 'NEW' })
    expect(blocks).toEqual(['Data', 'Above.', '[A|B|1|2]', 'NEW', 'Next', 'Below.'])
  })

  test('a section that is in a cell as a whole goes on in that cell', () => {
    const inCell = table([styled('Heading1', r('Skills')) + p('Patience')])
    const blocks = blocksAfter(inCell + styled('Heading1', r('Next')), {
      op: 'insert_paragraph',
      after: 'Skills',
      text: 'Care',
    })
    expect(blocks[0]).toBe('[SkillsPatienceCare]')
  })

  test('what is inserted looks like the text around the table, not like its cells or a heading', () => {
    const cell = p(r('1', '<w:b/>'))
    const plain = p(r('Text', '<w:i/>'))
    const body = `${plain}${table([cell])}${styled('Heading1', r('Next'))}`
    expect(bodyAfter(body, { op: 'insert_paragraph', after: 't1', text: 'NEW' })).toMatch(
      /<w:p><w:r><w:rPr><w:i\/><\/w:rPr><w:t[^>]*>NEW</,
    )
  })

  test('a page starts behind it', () => {
    const after = bodyAfter(BODY, { op: 'insert_page_break', after: 't1' })
    expect(after).toMatch(/<w:pageBreakBefore\/>.*Next/s)
    expect(after.match(/pageBreakBefore/g)).toHaveLength(1)
  })

  test('a tracked paragraph there is rejected to what was', () => {
    const insert = { op: 'insert_paragraph', after: 't1', text: 'NEW', track: { author: 'Ann' } }
    expect(blocksAfter(BODY, insert)).toContain('NEW')
    expect(blocksAfter(BODY, insert, { op: 'reject_revisions' })).toEqual(blocksAfter(BODY))
  })
})

describe('delete_paragraph, where tables are in the place', () => {
  test('a section goes with its tables', () => {
    const remove = { op: 'delete_paragraph', place: 'Data' }
    expect(blocksAfter(BODY, remove)).toEqual(['Next', 'Below.'])
    const { document } = openZoo({ body: BODY })
    expect(unwrap(document.apply(logged([remove]))).results[0]).toMatchObject({
      message: 'Deleted 2 paragraphs and 1 table.',
    })
  })

  test('a table that is named goes', () => {
    expect(blocksAfter(BODY, { op: 'delete_paragraph', place: 't1' })).toEqual([
      'Data',
      'Above.',
      'Next',
      'Below.',
    ])
  })

  test('paragraphs that fill a table lose their text, and the table stays', () => {
    expect(blocksAfter(BODY, { op: 'delete_paragraph', place: 'p3-p6' })[2]).toBe('[|||]')
    expect(blocksAfter(BODY, { op: 'delete_paragraph', place: 'p3-p4' })[2]).toBe('[||1|2]')
  })

  test('with a cell across rows too, and as tracked changes that are rejected to what was', () => {
    const cell = (mark: string, text: string) =>
      `<w:tc><w:tcPr><w:vMerge${mark}/></w:tcPr>${p(text)}</w:tc>`
    const body = `${styled('Heading1', r('Data'))}<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr>${cell(' w:val="restart"', 'Down')}</w:tr><w:tr>${cell('', '')}</w:tr></w:tbl>${styled('Heading1', r('Next'))}`
    const remove = { op: 'delete_paragraph', place: 'Data' }
    expect(blocksAfter(body, remove)).toEqual(['Next'])
    const tracked = { ...remove, track: { author: 'Ann' } }
    // the mark of a paragraph in front of a table cannot go as a tracked change
    expect(blocksAfter(body, tracked, { op: 'accept_revisions' })).toEqual(['', 'Next'])
    expect(blocksAfter(body, tracked, { op: 'reject_revisions' })).toEqual(blocksAfter(body))
  })
})
