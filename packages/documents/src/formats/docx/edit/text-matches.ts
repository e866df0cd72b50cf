import { counted } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import {
  finderOf,
  foldedFinderOf,
  type TextFinder,
  type TextQuery,
  type TextRange,
} from '../../../runs/find-text.ts'
import type { MatchedText } from '../../../runs/replacement.ts'
import { type Border, fieldName } from '../story/pieces.ts'
import { paragraphById, paragraphsAt } from '../story/places.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, type TextMap, textMapOf } from '../story/text-map.ts'
import type { DocumentEditor } from './editor.ts'
import { boundTo } from './guards.ts'

/** A match as it is kept: the paragraph by its id, the match by its number in it. */
export interface MatchRef extends MatchedText {
  readonly id: string
}

export interface FoundMatches {
  readonly matches: readonly MatchRef[]
  /** FoundPlaces, and not to be edited; in words. */
  readonly blocked: readonly string[]
  readonly wasFolded: boolean
}

/**
 * The matches of the common text selector that can be edited, and why others cannot. FoundPlaces once: a replay takes the
 * same ones.
 */
export function matchesFor(
  editor: DocumentEditor,
  key: string,
  query: TextQuery,
  place: unknown,
  nth: number | undefined,
): FoundMatches {
  return editor.resolve(key, () => {
    const paragraphs = paragraphsAt(editor.manuscript, place)
    const exact = collect(editor, paragraphs, finderOf(query))
    const folded =
      exact.matches.length + exact.blocked.length === 0 ? foldedFinderOf(query) : undefined
    const found = folded ? collect(editor, paragraphs, folded) : exact
    const wasFolded = folded !== undefined && found.matches.length > 0
    if (nth === undefined) return { ...found, wasFolded }
    const chosen = found.matches[nth - 1]
    if (!chosen && found.blocked.length > 0)
      throw new Refusal(
        'CONFLICT',
        `match ${nth} cannot be edited: ${found.blocked.slice(0, 5).join('. ')}`,
      )
    if (!chosen)
      throw new Refusal(
        'NO_SUCH_REGION',
        `nth is ${nth}, and there ${found.matches.length === 1 ? 'is' : 'are'} ${counted(found.matches.length, 'match', 'matches')}`,
      )
    return { matches: [chosen], blocked: [], wasFolded }
  })
}

function collect(
  editor: DocumentEditor,
  paragraphs: readonly Paragraph[],
  find: TextFinder,
): Omit<FoundMatches, 'wasFolded'> {
  const matches: MatchRef[] = []
  const blocked: string[] = []
  for (const paragraph of paragraphs) {
    const map = textMapOf(paragraph.story.pieces(paragraph))
    if (map.text === '') continue
    for (const range of find(map.text)) {
      const reason = whyNotEditable(editor, paragraph, map, range)
      if (reason !== undefined) blocked.push(reason)
      else
        matches.push({
          id: paragraph.id,
          start: range.start,
          end: range.end,
          text: map.text.slice(range.start, range.end),
          ...(range.groups && range.groups.length > 0 && { groups: range.groups }),
        })
    }
  }
  return { matches, blocked }
}

/** Why a match cannot be edited; undefined if it can. */
export function whyNotEditable(
  editor: DocumentEditor,
  paragraph: Paragraph,
  map: TextMap,
  range: TextRange,
): string | undefined {
  const border = borderOf(map, range.start, range.end)
  if (border === false) {
    const kinds = spansIn(map, range.start, range.end).flatMap(
      ({ piece }) => piece.border?.kind ?? [],
    )
    return `${paragraph.id}: it crosses the border of ${NAMES[kinds[0] ?? 'control']}; edit the text on each side separately`
  }
  for (let at = border; at; at = at.outer) {
    const bound = at.kind === 'control' ? boundTo(editor, paragraph.story.tree, at.node) : undefined
    if (bound !== undefined) return `${paragraph.id}: ${bound}`
  }
  for (let at = border; at; at = at.outer)
    if (at.kind === 'field') return `${paragraph.id}: ${computedBy(at)}`
  return undefined
}

const NAMES: Readonly<Record<Border['kind'], string>> = {
  link: 'a link',
  field: 'a field',
  control: 'a content control',
}

/** Where the result of a field comes from. */
export function computedBy({ code }: Border): string {
  const name = fieldName(code)
  const argument = /^\s*\S+\s+"?([^"\\\s]+)/.exec(code)?.[1] ?? ''
  if (name === 'TOC')
    return 'it is in the table of contents, which Word builds from the headings; edit the heading'
  if (/^(REF|PAGEREF|NOTEREF)$/.test(name))
    return `it is the result of a cross-reference to ${argument || 'a bookmark'}; edit the text it refers to`
  if (name === 'DOCPROPERTY' || name === 'TITLE' || name === 'AUTHOR' || name === 'SUBJECT')
    return `it shows the document property ${argument || name.toLowerCase()}; set that property`
  return `it is the result of the field ${name || 'code'}, which Word computes`
}

/** The paragraphs of the matches, each with its matches, as they are now. */
export function byParagraph(
  editor: DocumentEditor,
  matches: readonly MatchRef[],
): readonly { readonly paragraph: Paragraph; readonly matches: readonly MatchRef[] }[] {
  const groups = new Map<string, MatchRef[]>()
  for (const match of matches) groups.set(match.id, [...(groups.get(match.id) ?? []), match])
  return [...groups].map(([id, own]) => ({
    paragraph: paragraphById(editor.manuscript, id),
    matches: own,
  }))
}
