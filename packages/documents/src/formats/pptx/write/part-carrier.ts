import { Refusal } from '../../../refusal.ts'
import type { DeckPackage } from '../parts/deck-package.ts'
import type { Deck } from '../slide/deck.ts'
import { removeClicks } from './clicks.ts'
import { copyOne, freeNameLike, LEFT } from './copy-part.ts'
import { notesMaster } from './notes.ts'

/** Bytes that any number of slides may show: the deck has them once. */
const MEDIA: ReadonlySet<string> = new Set(['image', 'media', 'video', 'audio'])

interface OpenLink {
  readonly part: string
  readonly id: string
  /** A slide of the other deck. */
  readonly slide: string
}

/** Brings parts of another deck into this one, each once, with everything that they link to. */
export class PartCarrier {
  /** By its name there the name of each part here. */
  readonly copies = new Map<string, string>()
  /** Slides that people talked about: what they said stays behind. */
  readonly talkedAbout = new Set<string>()
  readonly #deck: Deck
  readonly #own: DeckPackage
  readonly #source: DeckPackage
  readonly #open: OpenLink[] = []

  constructor(deck: Deck, source: Deck) {
    this.#deck = deck
    this.#own = deck.package
    this.#source = source.package
  }

  carry(part: string, kind = 'slide'): string {
    const known = this.copies.get(part)
    if (known !== undefined) return known
    if (!this.#source.has(part))
      throw new Refusal(
        'CONFLICT',
        `the other deck is broken: it links to ${part}, which it does not have`,
      )
    const same = MEDIA.has(kind) ? this.#sameMedia(part) : undefined
    const name = same ?? freeNameLike(this.#own, part)
    this.copies.set(part, name)
    if (same !== undefined) return same
    copyOne(this.#own, part, name, this.#source)
    for (const link of this.#source.links(part)) {
      if (LEFT.has(link.kind)) {
        this.talkedAbout.add(part)
        this.#own.removeLink(name, link.id)
      } else if (!link.isExternal && !/(^|\/)NULL$/i.test(link.target))
        this.#carryLink(name, link.id, link.kind, link.target)
    }
    // some programs leave it out, and PowerPoint repairs that
    if (kind === 'notesSlide' && this.#own.linkedFrom(name, 'notesMaster') === undefined)
      this.#own.addLink(name, 'notesMaster', notesMaster(this.#deck))
    return name
  }

  #carryLink(part: string, id: string, kind: string, target: string): void {
    const known = this.copies.get(target)
    if (known === undefined && kind === 'slide') this.#open.push({ part, id, slide: target })
    else if (kind === 'notesMaster') this.#own.retarget(part, id, notesMaster(this.#deck))
    else this.#own.retarget(part, id, known ?? this.carry(target, kind))
  }

  /** Links between slides: to those that came along, and to no other. Returns how many clicks open nothing any more. */
  settleLinks(): number {
    let lost = 0
    for (const { part, id, slide } of this.#open.splice(0)) {
      const known = this.copies.get(slide)
      if (known === undefined) lost += removeClicks(this.#own, part, id)
      else this.#own.retarget(part, id, known)
    }
    return lost
  }

  #sameMedia(part: string): string | undefined {
    const bytes = this.#source.bytesOf(part)
    if (!bytes.ok) return undefined
    const type = this.#source.typeOf(part)
    return this.#own.names.find(name => {
      if (!/\/media\//i.test(name) || this.#own.typeOf(name) !== type) return false
      const own = this.#own.bytesOf(name)
      return own.ok && Buffer.compare(own.value, bytes.value) === 0
    })
  }
}
