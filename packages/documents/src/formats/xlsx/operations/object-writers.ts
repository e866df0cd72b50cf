import type { Box, ChangeId } from '@filewright/protocol'
import { cellKey, columnOfKey, intersects, rowOfKey } from '../cell/address.ts'

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
}

/** The changes of tables, names, charts and the like, so that later ones know their dependencies. */
export class ObjectWriters {
  #written: readonly Written[] = []

  get isEmpty(): boolean {
    return this.#written.length === 0
  }

  /** Returns how to go back. */
  set(refs: readonly ObjectRef[], id: ChangeId): () => void {
    const before = this.#written
    this.#written = [...before, ...refs.map(ref => ({ ...ref, id }))]
    return () => {
      this.#written = before
    }
  }

  /** The changes that made or changed one of these. */
  of(refs: readonly ObjectRef[]): readonly ChangeId[] {
    return this.#written.filter(own => refs.some(ref => isSame(own, ref))).map(({ id }) => id)
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

  /** Follows sheets to their new ids and cells to their new places. */
  follow(
    sheetOf: (id: number) => number | undefined,
    keyOf: (sheet: number, key: number) => number | undefined,
  ): () => void {
    const before = this.#written
    this.#written = before.flatMap(own => {
      if (own.sheet === undefined) return [own]
      const sheet = sheetOf(own.sheet)
      if (sheet === undefined) return []
      return [{ ...own, sheet, ...(own.box && { box: movedBox(own.box, own.sheet, keyOf) }) }]
    })
    return () => {
      this.#written = before
    }
  }
}

function isSame(one: ObjectRef, other: ObjectRef): boolean {
  if (one.kind !== other.kind || one.sheet !== other.sheet) return false
  if (one.name?.toLowerCase() !== other.name?.toLowerCase()) return false
  return !one.box || !other.box || intersects(one.box, other.box)
}

function movedBox(
  box: Box,
  sheet: number,
  keyOf: (sheet: number, key: number) => number | undefined,
): Box {
  const first = keyOf(sheet, cellKey(box.top, box.left))
  const last = keyOf(sheet, cellKey(box.bottom, box.right))
  if (first === undefined || last === undefined) return box
  return {
    top: Math.min(rowOfKey(first), rowOfKey(last)),
    bottom: Math.max(rowOfKey(first), rowOfKey(last)),
    left: Math.min(columnOfKey(first), columnOfKey(last)),
    right: Math.max(columnOfKey(first), columnOfKey(last)),
  }
}
