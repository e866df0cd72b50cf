import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { pptxFormat } from '../format.ts'
import { content, edited, logged, NAME, partText, sp, title, zooDeck } from './zoo.contract.ts'

const long = 'A sentence that is repeated until it is longer than its box. '.repeat(40)
const scaled = content('Short').replace(
  '<a:bodyPr/>',
  '<a:bodyPr><a:normAutofit fontScale="92500" lnSpcReduction="10000"/></a:bodyPr>',
)
const growing = sp(5, 'Box', 'One')
  .replace(
    '<p:spPr/>',
    '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2540000" cy="370000"/></a:xfrm></p:spPr>',
  )
  .replace('<a:bodyPr/>', '<a:bodyPr><a:spAutoFit/></a:bodyPr>')

const deck = zooDeck({
  slides: [{ shapes: `${title('Title')}${content('Short')}` }, { shapes: scaled + growing }],
})

function warningsOf(operation: { op: string; [field: string]: unknown }): readonly string[] {
  return unwrap(unwrap(pptxFormat.open(deck, NAME)).apply(logged([operation]))).warnings
}

describe('text and its box', () => {
  test('a text that fits is set without a word', () => {
    expect(warningsOf({ op: 'set_slide_text', index: 0, title: 'Fine', body: 'a\nb\nc' })).toEqual(
      [],
    )
  })

  test('a text that does not fit is set with a warning that says by how much', () => {
    expect(warningsOf({ op: 'set_slide_text', index: 0, body: long })).toEqual([
      expect.stringMatching(
        /^The text of Content Placeholder 2 on slide 0 likely needs \d+ % more room than its box has; shorten it/,
      ),
    ])
  })

  test('a stored scale follows the text, both ways', () => {
    const more = edited(deck, { op: 'set_shape_text', index: 1, shape: 3, text: long })
    expect(partText(more, 'ppt/slides/slide2.xml')).toMatch(
      /<a:normAutofit fontScale="[2-8]\d{4}" lnSpcReduction="20000"\/>/,
    )
    const less = edited(deck, { op: 'set_shape_text', index: 1, shape: 3, text: 'Tiny' })
    expect(partText(less, 'ppt/slides/slide2.xml')).toContain('<a:normAutofit/>')
  })

  test('lines that only came closer are measured again too', () => {
    const closer = zooDeck({ slides: [{ shapes: scaled.replace(' fontScale="92500"', '') }] })
    const more = edited(closer, { op: 'set_shape_text', index: 0, shape: 3, text: long })
    expect(partText(more, 'ppt/slides/slide1.xml')).toMatch(/fontScale="[2-8]\d{4}"/)
  })

  test('room behind paragraphs counts', () => {
    const lines = Array.from({ length: 8 }, (_, at) => `Line ${at}`).join('\n')
    const text = { op: 'set_shape_text', index: 0, shape: 3, text: lines }
    const airy = zooDeck({
      slides: [{ shapes: `${title('T')}${content('A').replace('<a:p>', '<a:p><a:pPr><a:spcAft><a:spcPts val="3000"/></a:spcAft></a:pPr>')}` }], // biome-ignore format: one line
    })
    const warned = (bytes: Uint8Array) =>
      unwrap(unwrap(pptxFormat.open(bytes, NAME)).apply(logged([text]))).warnings
    expect(warned(deck)).toEqual([])
    expect(warned(airy)).toEqual([expect.stringContaining('more room than its box has')])
  })

  test('a text that is shrunk to half its size is warned of', () => {
    expect(warningsOf({ op: 'set_shape_text', index: 1, shape: 3, text: long + long })).toEqual([
      expect.stringMatching(/^The text of Content Placeholder 2 on slide 1 is shown at [2-5]\d/),
    ])
    expect(warningsOf({ op: 'set_shape_text', index: 1, shape: 3, text: 'Tiny' })).toEqual([])
  })

  test('a box that grows with its text is resized', () => {
    const bytes = edited(deck, {
      op: 'set_shape_text',
      index: 1,
      shape: 5,
      text: 'One\nTwo\nThree',
    })
    const [, height] = /cx="2540000" cy="(\d+)"/.exec(partText(bytes, 'ppt/slides/slide2.xml'))!
    expect(Number(height) / 12_700).toBeGreaterThan(60)
    expect(Number(height) / 12_700).toBeLessThan(85)
  })
})
