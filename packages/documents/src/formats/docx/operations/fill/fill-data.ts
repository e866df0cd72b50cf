import { type Fields, isFields } from '@filewright/protocol'
import { invalid } from '../../edit/editor.ts'
import type { Placeholder } from '../../story/placeholders.ts'

export type FillValue = string | number | boolean

/** The values of a call, by the names that placeholders have. */
export class FillData {
  /** Lists of rows by their key: they repeat rows of tables. */
  readonly lists: readonly { readonly key: string; readonly rows: readonly Fields[] }[]
  readonly #values = new Map<string, { key: string; values: FillValue[]; isList: boolean }>()
  readonly #used = new Set<string>()

  constructor(given: Fields) {
    const lists: { key: string; rows: readonly Fields[] }[] = []
    this.#take(given, '', lists, 0)
    this.lists = lists
  }

  /**
   * The values for placeholders of that name or text; undefined where the call has none. The id of its paragraph says more
   * than the name of a placeholder that is alone in it.
   */
  valuesFor(placeholder: Pick<Placeholder, 'names' | 'text' | 'id'>, { isAlone = false } = {}) {
    const { names, text, id } = placeholder
    for (const name of isAlone ? [id, ...names, text] : [...names, text, id]) {
      const found = this.#values.get(plain(name))
      if (!found) continue
      this.#used.add(found.key)
      return found
    }
    return undefined
  }

  useList(key: string): void {
    this.#used.add(key)
  }

  /** Keys that no placeholder asked for. */
  get unused(): readonly string[] {
    const keys = [
      ...[...this.#values.values()].map(({ key }) => key),
      ...this.lists.map(own => own.key),
    ]
    return keys.filter(key => !this.#used.has(key))
  }

  #take(
    given: Fields,
    prefix: string,
    lists: { key: string; rows: readonly Fields[] }[],
    depth: number,
  ): void {
    if (depth > 8)
      throw invalid('placeholders nests too deeply; name a value "client.address.city"')
    for (const [name, value] of Object.entries(given)) {
      const key = prefix + name
      if (value === null || value === undefined) continue
      if (isFields(value)) this.#take(value, `${key}.`, lists, depth + 1)
      else if (Array.isArray(value) && value.every(isFields)) lists.push({ key, rows: value })
      else if (Array.isArray(value)) this.#set(key, value, true)
      else this.#set(key, [value], false)
    }
  }

  #set(key: string, values: readonly unknown[], isList: boolean): void {
    if (!values.every(isFillValue))
      throw invalid(
        `the value of ${JSON.stringify(key)} is a text, a number, true or false, or a list of them`,
      )
    this.#values.set(plain(key), { key, values: [...values], isList })
  }
}

export function isFillValue(value: unknown): value is FillValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** `{{Client name}}`, `client_name` and `ClientName` are one name; `[●]` and `____` are themselves. */
export function plain(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  if (folded !== '') return folded
  return /^_+$/.test(name) ? '____' : name
}
