import { at, type LiveNode, numberAt } from '../../../opc/index.ts'
import type { DeckPackage } from '../parts/deck-package.ts'
import { ShapePage } from './page.ts'
import { parseRef } from './refs.ts'

/** A slide in its deck. */
export interface Slide {
  readonly deck: Deck
  /** The id that the deck gives it; `256~2` for the second with the id 256. */
  readonly key: string
  /** From 0, now. */
  readonly index: number
  readonly page: ShapePage
  /** Its entry in the list of slides. */
  readonly entry: LiveNode
  readonly isHidden: boolean
}

export interface Layout {
  readonly page: ShapePage
  readonly name: string
  /** `title`, `obj`, `blank` …; '' where the file does not say. */
  readonly type: string
  readonly master: ShapePage | undefined
}

interface KnownSlides {
  readonly version: string
  readonly list: readonly Slide[]
  readonly byKey: ReadonlyMap<string, Slide>
}

/** A presentation as slides. */
export class Deck {
  readonly package: DeckPackage
  readonly #pages = new Map<string, ShapePage>()
  /** The number of each slide in the file, from 1: how a person is told where a change is. */
  readonly #numbers: ReadonlyMap<string, number>
  #slides: KnownSlides | undefined

  constructor(own: DeckPackage) {
    this.package = own
    this.#numbers = new Map(this.slides.map(({ key, index }) => [key, index + 1]))
  }

  /** In their order; entries without a readable part are left out. */
  get slides(): readonly Slide[] {
    return this.#known().list
  }

  slide(key: string): Slide | undefined {
    return this.#known().byKey.get(key)
  }

  /** Made anew when the list or the parts of the deck change, and not when a slide does. */
  #known(): KnownSlides {
    const version = this.package.listVersion
    if (this.#slides?.version === version) return this.#slides
    const list = this.#list()
    const byKey = new Map(list.map(own => [own.key, own]))
    this.#slides = { version, list, byKey }
    return this.#slides
  }

  page(part: string | undefined): ShapePage | undefined {
    const tree = this.package.findTree(part)
    if (!tree || part === undefined) return undefined
    const known = this.#pages.get(part)
    if (known?.tree === tree) return known
    const page = new ShapePage(part, tree)
    this.#pages.set(part, page)
    return page
  }

  notesOf({ page }: Slide): ShapePage | undefined {
    return this.page(this.package.linkedFrom(page.part, 'notesSlide'))
  }

  /** The layout of a slide's page. */
  layoutOf(page: ShapePage): Layout | undefined {
    const own = this.page(this.package.linkedFrom(page.part, 'slideLayout'))
    return own && this.#layout(own)
  }

  /** All layouts of all masters, in the order of the deck. */
  get layouts(): readonly Layout[] {
    return this.masters.flatMap(master => {
      const list = at(master.tree.root, 'p:sldLayoutIdLst')
      return (list?.children ?? []).flatMap(entry => {
        const id = master.tree.attribute(entry, 'r:id')
        const page = this.page(this.package.targetOf(master.part, id))
        return page ? [this.#layout(page)] : []
      })
    })
  }

  /** The id that the deck gives a layout; '' where it gives none. Parts are named anew by other programs, ids stay. */
  layoutId({ page, master }: Layout): string {
    const entry = master && this.#entryOf(master, 'p:sldLayoutIdLst', page)
    return master?.tree.attribute(entry, 'id') ?? ''
  }

  masterId(master: ShapePage | undefined): string {
    const { main, mainName } = this.package
    const entry =
      master && this.#entryOf({ part: mainName, tree: main }, 'p:sldMasterIdLst', master)
    return main.attribute(entry, 'id') ?? ''
  }

  #entryOf({ part, tree }: Pick<ShapePage, 'part' | 'tree'>, list: string, page: ShapePage) {
    return tree.root
      .child(list)
      ?.children.find(
        node => this.package.targetOf(part, tree.attribute(node, 'r:id')) === page.part,
      )
  }

  get masters(): readonly ShapePage[] {
    const { main, mainName } = this.package
    return (at(main.root, 'p:sldMasterIdLst')?.children ?? []).flatMap(entry => {
      const part = this.package.targetOf(mainName, main.attribute(entry, 'r:id'))
      return this.page(part) ?? []
    })
  }

  /** In English Metric Units. */
  get size(): { readonly width: number; readonly height: number } {
    const { main } = this.package
    const node = main.root.child('p:sldSz')
    return {
      width: numberAt(main, node, 'cx') ?? 9_144_000,
      height: numberAt(main, node, 'cy') ?? 6_858_000,
    }
  }

  /** How a person reads a place: `slide 3 › Title 1 #2`. */
  placeOf(ref: string): string {
    return this.#placeOf(ref, key => this.slidePlace(key))
  }

  /** The same place as the arguments of a call name it: `slide_index 2 › Title 1 #2`. */
  spotOf(ref: string): string {
    return this.#placeOf(ref, key => {
      const slide = this.slide(key)
      return slide ? `slide_index ${slide.index}` : this.slidePlace(key)
    })
  }

  #placeOf(ref: string, headOf: (key: string) => string): string {
    const parsed = parseRef(ref)
    if (!parsed) return ref
    const slide = this.slide(parsed.slide)
    const head = headOf(parsed.slide)
    if (parsed.isNotes) return `${head} › notes`
    if (parsed.shape === undefined) return head
    const name = slide?.page.shape(parsed.shape)?.name.trim() ?? ''
    const cell = parsed.cell ? `, row ${parsed.cell[0]}, column ${parsed.cell[1]}` : ''
    return `${head} › ${name === '' ? 'shape' : name} #${parsed.shape}${cell}`
  }

  /** By its number in the file that was opened, so that a slide which is refused moves no other. */
  slidePlace(key: string): string {
    const number = this.#numbers.get(key)
    return number === undefined ? `new slide ${key}` : `slide ${number}`
  }

  #layout(page: ShapePage): Layout {
    const { tree } = page
    return {
      page,
      name: tree.attribute(tree.root.child('p:cSld'), 'name') ?? '',
      type: tree.attribute(tree.root, 'type') ?? '',
      master: this.page(this.package.linkedFrom(page.part, 'slideMaster')),
    }
  }

  #list(): readonly Slide[] {
    const { main, mainName } = this.package
    const seen = new Map<string, number>()
    const slides: Slide[] = []
    for (const entry of at(main.root, 'p:sldIdLst')?.children ?? []) {
      if (entry.name !== 'p:sldId') continue
      const part = this.package.targetOf(mainName, main.attribute(entry, 'r:id'))
      const root = this.package.rootOf(part)
      if (root?.name !== 'p:sld' || part === undefined) continue
      const id = main.attribute(entry, 'id') ?? '0'
      const number = (seen.get(id) ?? 0) + 1
      seen.set(id, number)
      slides.push(
        new ListedSlide(this, part, {
          key: number === 1 ? id : `${id}~${number}`,
          index: slides.length,
          entry,
        }),
      )
    }
    return slides
  }
}

/** The tree of a slide is made when somebody looks at it. */
class ListedSlide implements Slide {
  readonly deck: Deck
  readonly key: string
  readonly index: number
  readonly entry: LiveNode
  readonly #part: string

  constructor(deck: Deck, part: string, own: Pick<Slide, 'key' | 'index' | 'entry'>) {
    this.deck = deck
    this.#part = part
    this.key = own.key
    this.index = own.index
    this.entry = own.entry
  }

  get isHidden(): boolean {
    const show = this.deck.package.rootOf(this.#part)?.attributes.get('show')
    return show === '0' || show === 'false'
  }

  get page(): ShapePage {
    return this.deck.page(this.#part)! // its root was read, so it is well-formed
  }
}
