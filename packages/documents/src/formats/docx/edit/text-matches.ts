import { chooseMatches, type TextMatches } from '../../../replace-pairs.ts'
import type { TextFinder, TextQuery, TextRange } from '../../../runs/find-text.ts'
import type { MatchedText } from '../../../runs/replacement.ts'
import { type Border, fieldName } from '../story/pieces.ts'
import { type PlaceArgument, paragraphsAt } from '../story/places.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, type TextMap, textMapOf } from '../story/text-map.ts'
import type { DocumentEditor } from './editor.ts'
import { boundTo } from './guards.ts'

/** A match as it is kept: the paragraph by its id, the match by its number in it. */
export interface MatchRef extends MatchedText {
  readonly id: string
}

/** The matches of the common text selector; found once, so that a replay takes the same ones. */
export function matchesFor(
  editor: DocumentEditor,
  key: string,
  query: TextQuery,
  place: PlaceArgument | undefined,
  nth: number | undefined,
): TextMatches<MatchRef> {
  return editor.resolve(key, () => {
    const paragraphs = paragraphsAt(editor.manuscript, place)
    return chooseMatches(query, nth, find => collect(editor, paragraphs, find))
  })
}

function collect(
  editor: DocumentEditor,
  paragraphs: readonly Paragraph[],
  find: TextFinder,
): Omit<TextMatches<MatchRef>, 'wasFolded'> {
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
  return [...groups].flatMap(([id, own]) => {
    const paragraph = editor.paragraphToEdit(id)
    return paragraph ? [{ paragraph, matches: own }] : []
  })
}
