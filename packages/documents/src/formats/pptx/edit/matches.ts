import type { LiveNode } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import { chooseMatches, type TextMatches } from '../../../replace-pairs.ts'
import { finderOf, type TextFinder, type TextQuery } from '../../../runs/find-text.ts'
import { type MatchedText, queryOf, type TextArguments } from '../../../runs/replacement.ts'
import { spansIn } from '../../../runs/spans.ts'
import { bodiesOf, type TextBody } from '../slide/bodies.ts'
import type { Slide } from '../slide/deck.ts'
import { diagramTexts } from '../slide/diagram.ts'
import { parseRef } from '../slide/refs.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import type { DeckEditor } from './editor.ts'
import { findShape, slideAt } from './fields.ts'

/** A match as it is kept: its text body by ids, its paragraph by its number there. */
export interface SlideMatch extends MatchedText {
  readonly body: string
  readonly paragraph: number
}

export type SlideMatches = TextMatches<SlideMatch>

/** The text that an operation looks for, on all slides or where it says. */
export interface TextSelector extends TextArguments {
  readonly index?: number | undefined
  readonly shape?: string | number | undefined
}

/** The matches of the common text selector; found once, so that a replay takes the same ones. */
export function matchesFor(
  editor: DeckEditor,
  key: string,
  selector: TextSelector,
  accepts: (body: TextBody) => boolean = () => true,
): SlideMatches {
  const query = queryOf(selector)
  const { nth } = selector
  return editor.resolve(key, () => {
    const slides = slidesFor(editor, selector)
    const bodies = bodiesFor(slides, selector).filter(accepts)
    const found = chooseMatches(query, nth, find => collect(bodies, find))
    if (nth !== undefined) return found
    return { ...found, blocked: [...found.blocked, ...inDiagrams(slides, selector, query)] }
  })
}

function slidesFor({ deck }: DeckEditor, { index }: TextSelector): readonly Slide[] {
  return index === undefined ? deck.slides : [slideAt(deck, index)]
}

function bodiesFor(slides: readonly Slide[], { shape }: TextSelector): readonly TextBody[] {
  const bodies = slides.flatMap(slide => bodiesOf(slide))
  const [slide] = slides
  if (shape === undefined || !slide || slides.length !== 1) return bodies
  if (String(shape).toLowerCase() === 'notes') return bodies.filter(({ isNotes }) => isNotes)
  const chosen = findShape(slide, shape).node
  return bodies.filter(own => own.shape.node === chosen)
}

function collect(
  bodies: readonly TextBody[],
  find: TextFinder,
): Pick<SlideMatches, 'matches' | 'blocked'> {
  const matches: SlideMatch[] = []
  const blocked: string[] = []
  for (const { ref, node, tree, slide } of bodies)
    for (const [paragraph, own] of paragraphsOf(node).entries()) {
      const map = textMapOf(tree, own)
      if (map.text === '') continue
      for (const { start, end, groups } of find(map.text)) {
        const links = new Set(spansIn(map, start, end).map(({ piece }) => piece.link))
        if (links.size > 1) {
          blocked.push(
            `${slide.deck.spotOf(ref)}: it crosses the border of a link; edit the text on each side separately`,
          )
          continue
        }
        const text = map.text.slice(start, end)
        const more = groups && groups.length > 0 ? { groups } : {}
        matches.push({ body: ref, paragraph, start, end, text, ...more })
      }
    }
  return { matches, blocked }
}

/** The text of SmartArt is drawn from its data by PowerPoint. */
function inDiagrams(
  slides: readonly Slide[],
  { shape }: TextSelector,
  query: TextQuery,
): readonly string[] {
  if (shape !== undefined) return []
  const find = finderOf(query)
  return slides.flatMap(slide =>
    slide.page.shapes
      .filter(own => diagramTexts(slide.deck, own).some(text => find(text).length > 0))
      .map(
        own =>
          `${slide.deck.spotOf(`@${slide.key}/${own.key}`)}: it is in SmartArt, which cannot be edited here`,
      ),
  )
}

/** The text bodies of the matches, each with its matches by paragraph, as they are now. */
export function byBody(editor: DeckEditor, matches: readonly SlideMatch[]) {
  const groups = new Map<string, SlideMatch[]>()
  for (const match of matches) groups.set(match.body, [...(groups.get(match.body) ?? []), match])
  return [...groups].flatMap(([ref, own]) => {
    const body = editor.isPartial ? findTextBody(editor, ref) : textBodyAt(editor, ref)
    return body ? [{ body, matches: own }] : []
  })
}

function findTextBody({ deck }: DeckEditor, ref: string): TextBody | undefined {
  const slide = deck.slide(parseRef(ref)?.slide ?? '')
  return slide && bodiesOf(slide).find(own => own.ref === ref)
}

export function textBodyAt(editor: DeckEditor, ref: string): TextBody {
  const found = bodiesOf(editor.slide(ref)).find(own => own.ref === ref)
  if (!found)
    throw new Refusal('CONFLICT', `${editor.deck.spotOf(ref)} is not on its slide any more`)
  return found
}

export function paragraphAt(node: LiveNode, number: number): LiveNode {
  const paragraph = paragraphsOf(node)[number]
  if (!paragraph) throw new Refusal('CONFLICT', 'the text is not there any more')
  return paragraph
}
