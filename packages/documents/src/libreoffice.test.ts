import { describe, expect, test } from 'vitest'
import { type Greys, pictureDifference } from './libreoffice.contract.ts'

const [WIDTH, HEIGHT] = [100, 60]

/** A white page with a bar two pixels high. */
function page(top: number, grey = 0, length = 8): Greys {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(255)
  for (const row of [top, top + 1]) pixels.fill(grey, row * WIDTH + 10, row * WIDTH + 10 + length)
  return { width: WIDTH, height: HEIGHT, pixels }
}

describe('two drawings of a page', () => {
  test('are alike where a part stands a pixel lower', () => {
    expect(pictureDifference(page(20), page(20))).toBeUndefined()
    expect(pictureDifference(page(20), page(21))).toBeUndefined()
  })

  test.each([
    ['stands further away', page(23)],
    ['has another grey', page(20, 90)],
    ['is longer', page(20, 0, 14)],
    ['is gone', page(20, 255)],
  ])('differ where a part %s', (_, now) => {
    expect(pictureDifference(page(20), now)).toContain('pixels have a grey')
    expect(pictureDifference(now, page(20))).toContain('pixels have a grey')
  })

  test('differ where more than a hundredth of the page does, and in their size', () => {
    expect(pictureDifference(page(20, 0, 80), page(21, 0, 80))).toContain('% of the pixels differ')
    expect(pictureDifference(page(20), { ...page(20), height: 30 })).toContain('another size')
  })
})
