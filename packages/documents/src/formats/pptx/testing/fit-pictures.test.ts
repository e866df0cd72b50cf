import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, readCorpusFile } from '../../../corpus.contract.ts'
import { convert } from '../../../libreoffice.contract.ts'
import type { DeckDocument } from '../document.ts'
import { EMU } from '../parts/values.ts'
import { boxOf, isBody, isTitle } from '../slide/inherit.ts'
import { lookOf } from '../slide/look.ts'
import type { Shape } from '../slide/page.ts'
import { paragraphsOf } from '../slide/text.ts'
import { ALLOWED, DECKS, openDeck, savedDeck } from './corpus-edit.contract.ts'
import { logged } from './zoo.contract.ts'

/** Fonts that are drawn here in their own widths. */
const FONTS = /^(calibri|carlito|arial|liberation sans|times new roman|cambria)$/i
const FACTORS = [0.5, 1.5, 0.7, 1.3, 0.6, 1.8] // of the letters that the box holds
const MOST = 20
const SLACK = 3 // points: letters do not fill their lines
const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-fit-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!IS_FULL || !hasCorpus)('the warning about fit, against the picture', () => {
  test('of twenty texts in real placeholders it agrees in seventeen', () => {
    const set = DECKS.flatMap(file => {
      const bytes = readCorpusFile(file)
      return placeholdersOf(openDeck(bytes)).map(own => ({ ...own, bytes, file: file.file }))
    })
      .slice(0, MOST)
      .map((own, at) => ({ ...own, ...setText(own, FACTORS[at % FACTORS.length]!) }))
    expect(set).toHaveLength(MOST)
    const pdfs = convert(
      set.map(({ saved }, at) => ({ name: `fit${at}.pptx`, bytes: saved })),
      'pdf',
      folder,
    )
    const judged = set.map(({ file, index, key, isWarned, box, words }, at) => {
      const isOver = runsOver(pdfs[at]!, box, words)
      return { file, index, key, isWarned, isOver }
    })
    const wrong = judged.filter(({ isWarned, isOver }) => isWarned !== isOver)
    console.info(`Fit: ${MOST - wrong.length} of ${MOST} agree`)
    expect(judged.some(({ isOver }) => isOver) && judged.some(({ isOver }) => !isOver)).toBe(true)
    expect(MOST - wrong.length, JSON.stringify(wrong)).toBeGreaterThanOrEqual(17)
  }, 900_000)
})

/** At most one title and one body of a deck, on a slide with few shapes, whose font is known. */
function placeholdersOf({ deck }: DeckDocument): { index: number; key: string }[] {
  const found: { index: number; key: string }[] = []
  for (const isWanted of [isTitle, isBody])
    for (const { index, page, isHidden } of deck.slides) {
      const shape = page.shapes.find(own => isWanted(own) && isKnown(deck, own))
      if (!shape || isHidden || page.shapes.length > 4) continue
      found.push({ index, key: shape.key })
      break
    }
  return found
}

function isKnown(deck: DeckDocument['deck'], shape: Shape): boolean {
  const [first] = shape.body ? paragraphsOf(shape.body) : []
  if (!first || shape.group || !boxOf(deck, shape) || !shape.body?.child('a:bodyPr')) return false
  if ([...shape.body.all('a:spAutoFit'), ...shape.body.all('a:normAutofit')].length > 0)
    return false
  return FONTS.test(lookOf(deck, shape, first, undefined, 0).font.value)
}

interface Placed {
  readonly bytes: Uint8Array
  readonly index: number
  readonly key: string
}

/** The deck with that slide alone, its text as large as it is, and whether the answer warned. */
function setText({ bytes, index, key }: Placed, factor: number) {
  const document = openDeck(bytes)
  const { deck } = document
  const shape = deck.slides[index]!.page.shape(key)!
  const box = boxOf(deck, shape)!
  const look = lookOf(deck, shape, paragraphsOf(shape.body!)[0]!, undefined, 0)
  const letters = (box.width / EMU / (look.size.value * 0.5)) * (box.height / EMU / (look.size.value * 1.2)) // biome-ignore format: one line
  const words = Math.max(1, Math.round((letters * factor) / 7))
  const text = Array.from({ length: words }, (_, at) => `quart${String(at).padStart(2, '0')}`).join(' ') // biome-ignore format: one line
  const operation = { op: 'set_shape_text', index, shape: key, text }
  const { warnings } = unwrap(document.apply(logged([operation], 'text'), ALLOWED))
  const { tree } = shape.page
  tree.append(shape.body!.child('a:bodyPr')!, tree.fragment('<a:noAutofit/>'))
  const keep = deck.slides[index]!.key
  for (const [at, own] of deck.slides.filter(each => each.key !== keep).entries())
    unwrap(
      document.apply(
        logged([{ op: 'delete_slide', index: deck.slide(own.key)!.index }], `gone_${at}`),
        ALLOWED,
      ),
    )
  const isWarned = warnings.some(each => each.includes('more room than its box'))
  return { saved: savedDeck(document, bytes), isWarned, words, box }
}

/** Whether words of the text are drawn above or below its box, or are not on the page at all. */
function runsOver(pdf: string, box: { top: number; height: number }, words: number): boolean {
  const { stdout } = spawnSync('pdftotext', ['-bbox', pdf, '-'], { maxBuffer: 1 << 26 })
  const drawn = [
    ...stdout
      .toString('utf8')
      .matchAll(/yMin="([\d.-]+)" xMax="[\d.-]+" yMax="([\d.-]+)">quart\d+</gi),
  ].map(([, top, bottom]) => [Number(top), Number(bottom)] as const)
  const [from, to] = [box.top / EMU - SLACK, (box.top + box.height) / EMU + SLACK]
  return drawn.length < words || drawn.some(([top, bottom]) => top < from || bottom > to)
}
