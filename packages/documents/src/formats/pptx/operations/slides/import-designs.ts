import { counted } from '@filewright/protocol'
import type { DeckEditor } from '../../edit/editor.ts'
import type { Deck, Layout, Slide } from '../../slide/deck.ts'
import {
  carryDesign,
  countLayouts,
  type Design,
  designKey,
  designName,
  freeDesignIds,
  layoutsOf,
} from '../../write/carry-design.ts'
import type { PartCarrier } from '../../write/part-carrier.ts'
import type { Scale } from '../../write/scale-page.ts'
import { designKeyOf } from './layouts.ts'

interface DesignImport {
  readonly editor: DeckEditor
  readonly source: Deck
  readonly from: string
  readonly scale: Scale | undefined
  readonly carrier: PartCarrier
}

/** Brings the masters of slides, each a change of its own that the slides depend on; one that the deck has already serves. */
export function bringDesigns(
  own: DesignImport,
  chosen: readonly Slide[],
): (slide: Slide) => Layout | undefined {
  const { source } = own
  const masters = new Map<string, Design>()
  for (const { page } of chosen) {
    const master = source.layoutOf(page)?.master
    if (master) masters.set(master.part, { deck: source, master })
  }
  for (const [number, design] of [...masters.values()].entries()) bring(own, design, number)
  return ({ page }) => {
    const there = source.layoutOf(page)?.page.part
    const here = there === undefined ? undefined : own.carrier.copies.get(there)
    return own.editor.deck.layouts.find(layout => layout.page.part === here)
  }
}

/** The numbers of a new design, or the id of the master that serves. */
type FoundDesign = { readonly ids: readonly number[] } | { readonly serves: string }

function bring(own: DesignImport, design: Design, number: number): void {
  const { editor, from } = own
  const { deck } = editor
  const seed = Number(editor.newId())
  const found = editor.resolve(`design ${number}`, (): FoundDesign => {
    const same = own.scale ? undefined : sameDesign(deck, design)
    return same
      ? { serves: deck.masterId(same.master) }
      : { ids: freeDesignIds(deck, seed, 1 + countLayouts(design)) }
  })
  if ('serves' in found) return serve(own, design, found.serves)
  const name = designName(design)
  editor.change(
    {
      kind: 'slide',
      place: `new design ${found.ids[0]}`,
      keys: [designKeyOf(found.ids[0]!)],
      before: null,
      after: () => ({
        text: layoutsOf(design)
          .map(layout => layout.name)
          .join('\n'),
      }),
      description: `design ${name} of ${from} with ${counted(found.ids.length - 1, 'layout')}`,
      atomic: true,
    },
    () => {
      carryDesign(deck, design, own.carrier, { ids: found.ids, scale: own.scale })
      return true
    },
  )
}

function sameDesign(deck: Deck, design: Design): Design | undefined {
  const key = designKey(design)
  return deck.masters
    .map(master => ({ deck, master }))
    .find(own => deck.masterId(own.master) !== '' && designKey(own) === key)
}

/** Layouts of equal designs stand for each other in their order. */
function serve({ editor, carrier }: DesignImport, design: Design, id: string): void {
  const { deck } = editor
  const master = deck.masters.find(own => deck.masterId(own) === id)
  const here = master ? layoutsOf({ deck, master }) : []
  for (const [index, { page }] of layoutsOf(design).entries())
    if (here[index]) carrier.copies.set(page.part, here[index].page.part)
}
