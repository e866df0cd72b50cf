import { counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import { at } from '../../../opc/index.ts'
import type { DeckRegion } from '../declared/selectors.ts'
import { inReadingOrder, notesShape } from '../slide/bodies.ts'
import type { Deck, Slide } from '../slide/deck.ts'
import { isFooter } from '../slide/inherit.ts'
import { lookOf } from '../slide/look.ts'
import type { Shape } from '../slide/page.ts'
import { indentedText, levelOf, paragraphsOf } from '../slide/text.ts'
import { titleOf } from '../slide/titles.ts'
import { describeShape, shapeLines } from './show.ts'

/** Reads slides as text, each shape under its id; many slides are paged. */
export function readDeck(deck: Deck, region: DeckRegion, options: ReadOptions): Result<Reading> {
  const chosen = chooseSlides(deck, region)
  if (!chosen.ok) return chosen
  const slides = chosen.value
  const lines: string[] = []
  const fields: object[] = []
  let bytes = 0
  let count = 0
  for (const slide of slides) {
    const own = slideText(slide, options.styles === true)
    const size = own.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    if (count > 0 && bytes + size > options.maxBytes) break
    bytes += size
    lines.push(...own)
    fields.push(slideField(slide))
    count++
  }
  const [first, last, next] = [slides[0], slides[count - 1], slides[count]]
  const end = slides.at(-1)
  return ok({
    text: lines.join('\n'),
    fields: { slides: fields },
    shown:
      first === last
        ? first
          ? `slide_index ${first.index}`
          : 'no slide'
        : `slide_index ${first!.index} to ${last!.index}`,
    total: counted(deck.slides.length, 'slide'),
    ...(next && end && { next: { slides: `${next.index}-${end.index}` } }),
  })
}

/** In their order; all of them without a region. */
export function chooseSlides(deck: Deck, region: DeckRegion): Result<readonly Slide[]> {
  const { slide_index: index, slides: range } = region
  const all = deck.slides
  if (index !== undefined) {
    const slide = all[index]
    return slide ? ok([slide]) : noSlide(deck, String(index))
  }
  if (range === undefined) return ok(all)
  const [, from, to] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(range) ?? []
  if (from === undefined)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read the slides ${JSON.stringify(range)}: slides is a range such as "0-4", counted from 0.`,
    )
  const chosen = all.slice(Number(from), Number(to ?? from) + 1)
  return chosen.length > 0 ? ok(chosen) : noSlide(deck, range)
}

function noSlide(deck: Deck, wanted: string): Result<never> {
  const count = deck.slides.length
  return fail(
    'NO_SUCH_REGION',
    count === 0
      ? `Cannot read slide_index ${wanted}: the deck has no slides.`
      : `Cannot read slide_index ${wanted}: the last slide is ${count - 1}, counted from 0.`,
  )
}

function slideText(slide: Slide, withStyles: boolean): readonly string[] {
  const { deck, page, index, isHidden } = slide
  const layout = deck.layoutOf(page)?.name
  const title = titleOf(slide)
  const notes = notesLines(slide)
  return [
    `=== slide_index ${index}${title === '' ? '' : `: ${title}`}${layout ? ` [layout ${layout}]` : ''}${isHidden ? ' [hidden]' : ''}`,
    ...inReadingOrder(page).flatMap(shape => shapeText(slide, shape, withStyles)),
    ...(notes.length > 0 ? ['[notes]', ...notes] : []),
    '',
  ]
}

function shapeText(slide: Slide, shape: Shape, withStyles: boolean): readonly string[] {
  if (isFooter(shape)) return []
  const lines = shapeLines(slide, shape)
  const alt = shape.alt === '' ? '' : `, alt ${JSON.stringify(shape.alt)}`
  const look = withStyles && shape.body ? [describeLook(slide, shape)] : []
  return [
    `[#${shape.key} ${shape.name}: ${describeShape(slide, shape)}${alt}${shape.group ? `, in group #${shape.group.key}` : ''}]`,
    ...look,
    ...lines,
  ]
}

/** Effective font, size and colour of the first text of each level, and where they come from. */
function describeLook({ deck }: Slide, shape: Shape): string {
  const { tree } = shape.page
  const seen = new Set<number>()
  const looks: string[] = []
  for (const paragraph of paragraphsOf(shape.body!)) {
    const level = levelOf(tree, paragraph)
    if (seen.has(level)) continue
    seen.add(level)
    const run = paragraph.children.find(({ name }) => name === 'a:r')
    const properties = at(run, 'a:rPr') ?? paragraph.child('a:endParaRPr')
    const { font, size, isBold, color } = lookOf(deck, shape, paragraph, properties, level)
    looks.push(
      `level ${level}: ${font.value} (${font.from}) ${size.value} pt (${size.from})${isBold.value ? `, bold (${isBold.from})` : ''}${color ? `, ${color.value} (${color.from})` : ''}`,
    )
  }
  return `{${looks.join('; ')}}`
}

function notesLines(slide: Slide): readonly string[] {
  const page = slide.deck.notesOf(slide)
  const body = page && notesShape(page)?.body
  if (!page || !body) return []
  const text = indentedText(page.tree, body)
  return text.trim() === '' ? [] : text.split('\n')
}

function slideField(slide: Slide) {
  const { deck, page, index, key, isHidden } = slide
  const notes = notesLines(slide)
  return {
    index,
    id: key,
    title: titleOf(slide),
    layout: deck.layoutOf(page)?.name ?? '',
    ...(isHidden && { isHidden }),
    shapes: inReadingOrder(page)
      .filter(shape => !isFooter(shape))
      .map(shape => ({
        id: shape.key,
        name: shape.name,
        kind: describeShape(slide, shape),
        text: shapeLines(slide, shape).join('\n'),
      })),
    ...(notes.length > 0 && { notes: notes.join('\n') }),
  }
}
