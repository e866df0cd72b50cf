import type { Manuscript } from '../../story/manuscript.ts'
import { copiedDefinition } from '../lists/list-numbering.ts'
import { plainXml } from './plain-xml.ts'

/**
 * Lists of another document: each becomes a list of its own here, so that it counts as it did there. Of two versions of
 * one document, `isVersion`, a list that is the same in both goes on.
 */
export class CopiedLists {
  readonly #from: Manuscript
  readonly #to: Manuscript
  readonly #isVersion: boolean
  readonly #numbers = new Map<string, string>()
  readonly #definitions = new Map<string, string>()

  constructor(from: Manuscript, to: Manuscript, { isVersion }: { readonly isVersion: boolean }) {
    this.#from = from
    this.#to = to
    this.#isVersion = isVersion
  }

  get count(): number {
    return this.#numbers.size
  }

  /** The number here of a list there. */
  numberOf(numId: string): string | undefined {
    const known = this.#numbers.get(numId)
    if (known !== undefined) return known
    const list = this.#from.numbering.lists.get(numId)
    const tree = this.#from.numbering.tree
    if (!list || !tree) return undefined
    const own = this.#to.numbering.lists.get(numId)
    if (this.#isVersion && own && JSON.stringify(own.levels) === JSON.stringify(list.levels))
      return numId
    const named = (name: string, attribute: string, value: string) =>
      tree.root.children.find(
        node => node.name === name && tree.attribute(node, attribute) === value,
      )
    const definition = named('w:abstractNum', 'w:abstractNumId', list.abstractId)
    const number = named('w:num', 'w:numId', numId)
    if (!definition || !number) return undefined
    const made = copiedDefinition(this.#to, {
      definition: this.#definitions.get(list.abstractId) ?? plainXml(tree, definition),
      isCopied: this.#definitions.has(list.abstractId),
      number: plainXml(tree, number),
    })
    this.#definitions.set(list.abstractId, made.abstractId)
    this.#numbers.set(numId, made.numId)
    return made.numId
  }
}
