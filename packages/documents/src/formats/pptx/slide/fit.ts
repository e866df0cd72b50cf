import { at, type LiveNode, type LiveTree, numberAt } from '../../../opc/index.ts'
import { EMU } from '../parts/values.ts'
import type { Deck } from './deck.ts'
import { lineHeight, textWidth } from './font-widths.ts'
import { ancestorsOf, boxOf } from './inherit.ts'
import { lookOf, stylesFor } from './look.ts'
import type { Shape } from './page.ts'
import { levelOf, paragraphsOf, piecesOf } from './text.ts'

/** How much room a text takes, and how much its box has, in points. */
export interface Fit {
  readonly needed: number
  readonly available: number
  /** The widest word that no line can hold, by how much. */
  readonly overhang: number
}

const INSETS = { lIns: 91_440, rIns: 91_440, tIns: 45_720, bIns: 45_720 }

/** Undefined where nothing says how large the box is, or where the text runs in another direction. */
export function fitOf(deck: Deck, shape: Shape, scale = 1, lines = 1): Fit | undefined {
  const { body } = shape
  const box = boxOf(deck, shape)
  if (!body || !box) return undefined
  const bodies = [shape, ...ancestorsOf(deck, shape)].flatMap(own => {
    const node = own.body?.child('a:bodyPr')
    return node ? [{ tree: own.page.tree, node }] : []
  })
  const attribute = (name: string) =>
    bodies.map(({ tree, node }) => tree.attribute(node, name)).find(value => value !== undefined)
  const direction = attribute('vert')
  if (direction !== undefined && direction !== 'horz') return undefined
  const inset = (name: keyof typeof INSETS) => Number(attribute(name) ?? INSETS[name]) / EMU
  const columns = Math.max(1, Number(attribute('numCol') ?? 1))
  const inside = box.width / EMU - inset('lIns') - inset('rIns')
  const width = attribute('wrap') === 'none' ? Number.POSITIVE_INFINITY : inside / columns
  const available = (box.height / EMU - inset('tIns') - inset('bIns')) * columns
  let needed = 0
  let overhang = 0
  let after = 0
  for (const [index, paragraph] of paragraphsOf(body).entries()) {
    const own = measure(deck, shape, paragraph, { width, scale, lines })
    needed += own.height + (index === 0 ? 0 : after + own.before)
    after = own.after
    overhang = Math.max(overhang, own.overhang)
  }
  return { needed, available, overhang }
}

interface Room {
  readonly width: number
  readonly scale: number
  readonly lines: number
}

function measure(deck: Deck, shape: Shape, paragraph: LiveNode, { width, scale, lines }: Room) {
  const { tree } = shape.page
  const level = levelOf(tree, paragraph)
  const styles = stylesFor(deck, shape, paragraph, level)
  const margin = Number(firstOf(styles, 'marL') ?? 0) / EMU
  const room = Math.max(1, width - margin)
  let size = 0
  let font = ''
  const words: { text: string; width: number }[] = []
  for (const { run, text, kind, label } of piecesOf(tree, paragraph)) {
    const look = lookOf(deck, shape, paragraph, run?.child('a:rPr'), level)
    size = Math.max(size, look.size.value * scale)
    font = look.font.value
    const shown = kind === 'token' ? label : text
    for (const word of shown.match(/\n|[^\S\n]+|[^\s]+/g) ?? [])
      words.push({
        text: word,
        width:
          word === '\n'
            ? 0
            : textWidth(word, look.font.value, look.size.value * scale, look.isBold.value),
      })
  }
  if (size === 0) {
    const look = lookOf(deck, shape, paragraph, paragraph.child('a:endParaRPr'), level)
    size = look.size.value * scale
    font = look.font.value
  }
  const spacing = spacingOf(styles, 'a:lnSpc', lineHeight(font, size)) ?? lineHeight(font, size)
  const widest = Math.max(0, ...words.map(own => own.width))
  return {
    height: linesIn(words, room) * spacing * lines,
    // what brings lines closer brings paragraphs closer too: so most stored scales of real decks come out
    before: (spacingOf(styles, 'a:spcBef', size) ?? 0) * lines,
    after: (spacingOf(styles, 'a:spcAft', size) ?? 0) * lines,
    overhang: Number.isFinite(room) ? Math.max(0, widest - room) : 0,
  }
}

/** How many lines words take; a word that is wider than a line is broken. */
function linesIn(words: readonly { text: string; width: number }[], room: number): number {
  let count = 1
  let used = 0
  for (const { text, width } of words) {
    if (text === '\n') {
      count++
      used = 0
    } else if (/^\s/.test(text)) used += width
    else if (used > 0 && used + width > room) {
      count += Math.max(1, Math.ceil(width / room))
      used = width % room
    } else {
      if (width > room) count += Math.ceil(width / room) - 1
      used += width > room ? width % room : width
    }
  }
  return count
}

type Styles = readonly { readonly tree: LiveTree; readonly node: LiveNode }[]

function firstOf(styles: Styles, name: string): string | undefined {
  for (const { tree, node } of styles) {
    const value = tree.attribute(node, name)
    if (value !== undefined) return value
  }
  return undefined
}

/** Points, where a share counts of `whole`. */
function spacingOf(styles: Styles, name: string, whole: number): number | undefined {
  for (const { tree, node } of styles) {
    const own = node.child(name)
    if (!own) continue
    const share = numberAt(tree, at(own, 'a:spcPct'), 'val')
    if (share !== undefined) return (whole * share) / 100_000
    const points = numberAt(tree, at(own, 'a:spcPts'), 'val')
    if (points !== undefined) return points / 100
  }
  return undefined
}
