import { at, type LiveTree } from '../../../opc/index.ts'
import type { Deck } from '../slide/deck.ts'
import type { ShapePage } from '../slide/page.ts'
import type { PartCarrier } from './part-carrier.ts'
import { type Scale, scalePage } from './scale-page.ts'

/** A master with its layouts, as its deck has it. */
export interface Design {
  readonly deck: Deck
  readonly master: ShapePage
}

export function layoutsOf({ deck, master }: Design) {
  return deck.layouts.filter(own => own.master?.part === master.part)
}

/** The name of the theme, as PowerPoint shows it. */
export function designName({ deck, master }: Design): string {
  const theme = themeOf({ deck, master })
  return theme?.attribute(theme.root, 'name') ?? 'without a name'
}

function themeOf({ deck, master }: Design): LiveTree | undefined {
  return deck.package.findTree(deck.package.linkedFrom(master.part, 'theme'))
}

/** Equal for designs that look the same: master, theme and layouts; ids and links may differ. */
export function designKey(design: Design): string {
  const { deck, master } = design
  const isNoise = (name: string) =>
    /^(p:sldLayoutIdLst|p:extLst|a:extLst|r:id|r:embed|r:link)$/.test(name)
  const keyOf = (tree: LiveTree | undefined) => (tree ? tree.xmlOf(tree.root, isNoise) : '')
  const sizes = (part: string) =>
    deck.package.links(part).flatMap(({ kind, target }) => {
      const image = kind === 'image' ? deck.package.bytesOf(target) : undefined
      return image?.ok ? [image.value.length] : []
    })
  return [
    keyOf(themeOf(design)),
    ...[{ page: master }, ...layoutsOf(design)].map(
      ({ page }) => `${keyOf(page.tree)} ${sizes(page.part).sort().join(' ')}`,
    ),
  ].join('\n')
}

const FIRST_ID = 2_147_483_648

/** Numbers in a row that no master and no layout of the deck has, from `seed` on. */
export function freeDesignIds(deck: Deck, seed: number, count: number): readonly number[] {
  const used = new Set([
    ...deck.masters.map(own => Number(deck.masterId(own))),
    ...deck.layouts.map(own => Number(deck.layoutId(own))),
  ])
  const ids = Array.from({ length: count }, (_, index) => FIRST_ID + seed + index)
  return ids.some(id => used.has(id)) ? freeDesignIds(deck, seed + count, count) : ids
}

/** Brings master, layouts and theme; `ids` has one number for the master and one for each layout. */
export function carryDesign(
  deck: Deck,
  source: Design,
  carrier: PartCarrier,
  given: { readonly ids: readonly number[]; readonly scale: Scale | undefined },
): void {
  const own = deck.package
  const part = carrier.carry(source.master.part, 'slideMaster')
  const tree = own.findTree(part)!
  const entries = at(tree.root, 'p:sldLayoutIdLst')?.children ?? []
  for (const [index, entry] of entries.entries())
    tree.setAttribute(entry, 'id', String(given.ids[index + 1]))
  if (given.scale)
    for (const page of [source.master, ...layoutsOf(source).map(layout => layout.page)])
      scalePage(own.findTree(carrier.carry(page.part))!, given.scale)
  const { main } = own
  const link = own.addLink(own.mainName, 'slideMaster', part)
  const list = main.root.child('p:sldMasterIdLst')
  const [entry] = main.fragment(`<p:sldMasterId id="${given.ids[0]}" r:id="${link}"/>`)
  if (list) main.append(list, [entry!])
  else {
    const [made] = main.fragment('<p:sldMasterIdLst/>')
    main.insert(main.root, 0, [made!])
    main.append(made!, [entry!])
  }
}

export function countLayouts({ master }: Design): number {
  return at(master.tree.root, 'p:sldLayoutIdLst')?.children.length ?? 0
}
