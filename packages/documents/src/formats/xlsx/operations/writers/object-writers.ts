import type { Box, ChangeId } from '@filewright/protocol'
import { intersects } from '../../cell/address.ts'
import { isLost } from '../../places/place-step.ts'
import type { Epochs } from './epochs.ts'

/** An object of a workbook, by its name or by its place. */
export interface ObjectRef {
  /** `table`, `name`, `validation`, `comment`, `link`, `drawing`, `pivot`, `protection`, `properties` */
  readonly kind: string
  readonly name?: string
  /** The id of its sheet. */
  readonly sheet?: number
  /** The cells it is for. */
  readonly box?: Box
}

interface Written extends ObjectRef {
  readonly id: ChangeId
  readonly epoch: number
}

/** The changes of tables, names, charts and the like, so that later ones know their dependencies. */
export class ObjectWriters {
  readonly #epochs: Epochs
  #written: readonly Written[] = []

  constructor(epochs: Epochs) {
    this.#epochs = epochs
  }

  get isEmpty(): boolean {
    return this.#written.length === 0
  }

  /** Returns how to go back. */
  set(refs: readonly ObjectRef[], id: ChangeId): () => void {
    const before = this.#written
    const epoch = this.#epochs.now
    this.#written = [...before, ...refs.map(ref => ({ ...ref, id, epoch }))]
    return () => {
      this.#written = before
    }
  }

  /** The changes that made or changed one of these. */
  of(refs: readonly ObjectRef[]): readonly ChangeId[] {
    return this.#written
      .filter(written => {
        const own = this.#placed(written)
        return own && refs.some(ref => isSame(own, ref))
      })
      .map(({ id }) => id)
  }

  /** Where it is now; undefined: its sheet is gone. */
  #placed(own: Written): ObjectRef | undefined {
    const since = this.#epochs.since(own.epoch)
    if (own.sheet === undefined || since.isIdentity) return own
    const sheet = since.sheet(own.sheet)
    if (typeof sheet !== 'number') return undefined
    const to = own.box && since.box({ sheet: own.sheet, box: own.box })
    return { ...own, sheet, ...(to && !isLost(to) && { box: to.box }) }
  }

  /** The changes of tables and names that the text mentions. */
  namedIn(text: string): readonly ChangeId[] {
    const folded = text.toLowerCase()
    return this.#written
      .filter(
        ({ kind, name }) =>
          (kind === 'table' || kind === 'name') &&
          name !== undefined &&
          folded.includes(name.toLowerCase()),
      )
      .map(({ id }) => id)
  }
}

function isSame(one: ObjectRef, other: ObjectRef): boolean {
  if (one.kind !== other.kind || one.sheet !== other.sheet) return false
  if (one.name?.toLowerCase() !== other.name?.toLowerCase()) return false
  return !one.box || !other.box || intersects(one.box, other.box)
}
