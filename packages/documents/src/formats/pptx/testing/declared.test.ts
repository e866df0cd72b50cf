import { type Sha256, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { png } from '../../docx/testing/png.contract.ts'
import { OPERATIONS } from '../declared/operations.ts'
import { pptxFormat } from '../format.ts'
import { content, edited, logged, NAME, saved, sp, table, title, zooDeck } from './zoo.contract.ts'

const HASHES = ['a'.repeat(64), 'b'.repeat(64)] as Sha256[]
const PICTURES = { 'images/logo.png': HASHES[0]! }
const picture = png(4, 2)
const other = zooDeck({ slides: [{ shapes: title('Other') }] })
const inputs = { [HASHES[0]!]: picture, [HASHES[1]!]: other }

/** It has what the examples of all operations name. */
const deck = withPicture(
  edited(
    zooDeck({
      slides: [
        {
          layout: 1,
          shapes: `${title('Sales in 2025')}${content('Up')}${table(4, ['Item', 'Price'], ['Tea', '3'])}`,
        },
        { shapes: `${title('Costs')}${sp(5, 'Box', 'Down')}` },
      ],
    }),
    { op: 'add_chart', index: 0, categories: ['A', 'B'], series: [{ name: 'S', values: [1, 2] }] },
  ),
)

function withPicture(bytes: Uint8Array): Uint8Array {
  const document = unwrap(pptxFormat.open(bytes, NAME))
  const operation = { op: 'add_image', index: 0, image: 'images/logo.png', alt: 'Logo' }
  const [own] = logged([operation])
  unwrap(document.apply([{ ...own!, inputs: PICTURES }], { inputs }))
  return saved(document, bytes)
}

test.each(Object.entries(OPERATIONS))('the example of %s works', (op, { example }) => {
  const document = unwrap(pptxFormat.open(deck, NAME))
  const [own] = logged([{ op, ...example }])
  const pinned = { ...PICTURES, 'other.pptx': HASHES[1]! }
  const done = document.apply([{ ...own!, inputs: pinned }], { inputs })
  expect(done.ok ? '' : done.failure.message).toBe('')
  expect(unwrap(done).changes.length).toBeGreaterThan(0)
})
