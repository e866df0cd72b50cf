import { Refusal } from '../../../../refusal.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import type { Deck, Layout, Slide } from '../../slide/deck.ts'
import { isBody } from '../../slide/inherit.ts'

/** The layout that an operation names; of two with one name that of the neighbour's master. */
export function layoutField(
  editor: DeckEditor,
  wanted: unknown,
  neighbour: Slide | undefined,
  needsBody = false,
): Layout {
  const { deck } = editor
  const part = editor.resolve('layout', () =>
    wanted === undefined || wanted === null
      ? usualLayout(deck, neighbour, needsBody).page.part
      : namedLayout(deck, String(wanted), neighbour).page.part,
  )
  const found = deck.layouts.find(({ page }) => page.part === part)
  if (!found) throw new Refusal('CONFLICT', 'the layout is not in the deck any more')
  return found
}

function namedLayout(deck: Deck, wanted: string, neighbour: Slide | undefined): Layout {
  const fold = (text: string) => text.trim().toLowerCase()
  const found = deck.layouts.filter(
    ({ name, type }) => fold(name) === fold(wanted) || fold(type) === fold(wanted),
  )
  const exact = found.filter(({ name }) => fold(name) === fold(wanted))
  const fits = exact.length > 0 ? exact : found
  const master = neighbour && deck.layoutOf(neighbour.page)?.master?.part
  const chosen = fits.length > 1 ? fits.filter(own => own.master?.part === master) : fits
  if (chosen[0]) return chosen[0]
  if (fits[0]) return fits[0]
  throw new Refusal(
    'NO_SUCH_REGION',
    `the deck has no layout ${JSON.stringify(wanted)}; its layouts are ${[...new Set(deck.layouts.map(({ name }) => name))].join(', ')}`,
  )
}

/** That of the neighbour; behind a title slide, or where it has no place for text, the one for title and content. */
function usualLayout(deck: Deck, neighbour: Slide | undefined, needsBody: boolean): Layout {
  const own = neighbour && deck.layoutOf(neighbour.page)
  const fits = own && (!needsBody || own.page.shapes.some(isBody))
  if (own && fits && !/^(title|secHead)$/.test(own.type)) return own
  const all = deck.layouts.filter(({ master }) => !own || master?.part === own.master?.part)
  const usual = all.find(({ type }) => type === 'obj') ?? all.find(({ type }) => type === 'tx')
  const found = usual ?? own ?? all[0] ?? deck.layouts[0]
  if (!found) throw new Refusal('CONFLICT', 'the deck has no layout that a slide could have')
  return found
}
