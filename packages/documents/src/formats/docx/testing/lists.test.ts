import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { docxFormat } from '../format.ts'
import { logged, NAME, openZoo, p, partText, saved, shown, W } from './zoo.contract.ts'

const NUMBERING = `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="(%1)"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num></w:numbering>`

function item(text: string, level = 0): string {
  return p(
    `<w:pPr><w:keepNext/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr></w:pPr>`,
    text,
  )
}

const BODY =
  p('Intro.') + item('One.') + item('Two.') + item('Deep.', 1) + p('Between.') + item('Three.')

function after(...operations: Operation[]) {
  const { document, bytes } = openZoo({ body: BODY, numbering: NUMBERING })
  const applied = unwrap(document.apply(logged(operations)))
  const written = saved(document, bytes)
  return {
    applied,
    bytes: written.bytes,
    labels: shown(written.document)
      .filter(line => /\./.test(line))
      .map(line => line.replace(/^\S*\|/, '')),
  }
}

describe('insert_list', () => {
  test('looks like the nearest list of the document, and counts from one', () => {
    const { labels, bytes } = after({
      op: 'insert_list',
      items: ['New.', { text: 'Below.', level: 1 }, 'Next.'],
      ordered: true,
      after: 'p5',
    })
    expect(labels.join(' ')).toMatch(/Between\. .*\(1\).*New\. .*Below\. .*\(2\).*Next\./)
    expect(labels.at(-1)).toContain('(3)')
    expect(partText(bytes)).toMatch(/<w:keepNext\/><w:numPr>.{0,80}<w:numId w:val="8"\/>/)
    expect(partText(bytes, 'word/numbering.xml')).toContain(
      '<w:num w:numId="8"><w:abstractNumId w:val="5"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>',
    )
  })

  test('a list behind it keeps its numbers', () => {
    const { labels } = after({ op: 'insert_list', items: ['New.'], ordered: true, before: 'p2' })
    expect(labels.filter(line => line.startsWith('(')).map(line => line.slice(0, 3))).toEqual([
      '(1)',
      '(1)',
      '(2)',
      '(2)',
      '(3)',
    ])
  })

  test('makes its own numbering where the document has no such list', () => {
    const { document, bytes } = openZoo({
      body: p('Alone.'),
      numbering: `<w:numbering xmlns:w="${W}"/>`,
    })
    unwrap(
      document.apply(
        logged([{ op: 'insert_list', items: ['a', 'b'], ordered: true, start: 5, after: 'p1' }]),
      ),
    )
    const written = saved(document, bytes)
    expect(shown(written.document).join('\n')).toMatch(/5.*a\n.*6.*b/)
  })

  test('one refused item moves no other', () => {
    const { document, bytes } = openZoo({ body: BODY, numbering: NUMBERING })
    const log = logged([
      { op: 'insert_list', items: ['A.', 'B.', 'C.'], ordered: true, after: 'p1' },
    ])
    const { changes } = unwrap(document.apply(log))
    const replayed = unwrap(docxFormat.replay(bytes, log, new Set([changes[1]!.id]), NAME))
    expect(replayed.changes.map(({ after: side }) => side?.text)).toEqual(['1. A.', '1. C.'])
  })

  test('tracked, every item is an insertion', () => {
    const { bytes } = after({
      op: 'insert_list',
      items: ['A.', 'B.'],
      after: 'p1',
      ordered: true,
      track: { author: 'Ann' },
    })
    expect(partText(bytes).match(/<w:ins [^>]*w:author="Ann"/g)).toHaveLength(4)
  })

  test('a list item that is named as the model must be one', () => {
    const { document } = openZoo({ body: BODY, numbering: NUMBERING })
    const log = logged([{ op: 'insert_list', items: ['A'], like: 'p1', after: 'p1' }])
    const refused = document.apply(log)
    expect(refused).toMatchObject({ ok: false })
    if (!refused.ok) expect(refused.failure.message).toContain('p1 is in no list')
  })
})

describe('restart_list and continue_list', () => {
  test('the list counts anew from a paragraph on, and goes on again', () => {
    const restarted = after({ op: 'restart_list', place: 'p6', start: 4 })
    expect(restarted.labels.at(-1)).toContain('(4)')
    const open = unwrap(docxFormat.open(restarted.bytes, NAME))
    unwrap(open.apply(logged([{ op: 'continue_list', place: 'p6' }])))
    expect(shown(open).at(-1)).toContain('(3)')
    expect(partText(saved(open, restarted.bytes).bytes)).not.toContain('w:val="8"')
  })

  test('tracked, the paragraph keeps what it was', () => {
    const { bytes } = after({ op: 'restart_list', place: 'p6', track: { author: 'Ann' } })
    expect(partText(bytes)).toMatch(/<w:pPrChange [^>]*w:author="Ann".*?<w:numId w:val="7"\/>/)
  })

  test('a paragraph outside lists is refused', () => {
    const { document } = openZoo({ body: BODY, numbering: NUMBERING })
    const refused = document.apply(logged([{ op: 'restart_list', place: 'p1' }]))
    expect(refused).toMatchObject({ ok: false, failure: { code: 'INVALID_ARGUMENT' } })
  })
})
