import type { LiveNode } from '../../../../opc/index.ts'
import { valOf } from '../../parts/values.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { plainXml } from './plain-xml.ts'

/** Styles of another document: one of the same name and kind serves, any other is copied with those it builds on. */
export class CopiedStyles {
  readonly names: string[] = []
  readonly #from: Manuscript
  readonly #to: Manuscript
  readonly #ids = new Map<string, string>()
  readonly #number: (numId: string) => string | undefined

  constructor(from: Manuscript, to: Manuscript, number: (numId: string) => string | undefined) {
    this.#from = from
    this.#to = to
    this.#number = number
  }

  /** The id here of a style there; undefined where it has none, and the text takes the default. */
  idOf(id: string): string | undefined {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const style = this.#from.styles.byId.get(id)
    if (!style) return undefined
    const own = this.#to.styles.find(style.name, style.type as 'paragraph')
    if (own) {
      this.#ids.set(id, own.id)
      return own.id
    }
    return this.#copy(id, style.node, style.name)
  }

  #copy(id: string, node: LiveNode, name: string): string | undefined {
    const target = this.#to.package.linkedTree('styles')
    const source = this.#from.styles.tree
    if (!target || !source) return undefined
    let free = id
    for (let number = 1; this.#to.styles.byId.has(free); number++) free = `${id}${number}`
    this.#ids.set(id, free)
    const [made] = target.fragment(plainXml(source, node))
    target.setAttribute(made!, 'w:styleId', free)
    target.setAttribute(made!, 'w:default', undefined)
    target.append(target.root, [made!])
    for (const link of ['w:basedOn', 'w:next', 'w:link']) {
      const own = made!.child(link)
      const there = valOf(target, made, link)
      const here = there === undefined ? undefined : this.idOf(there)
      if (own && here === undefined) target.remove(own)
      else if (own) target.setAttribute(own, 'w:val', here)
    }
    const numbers = made!.child('w:pPr')?.child('w:numPr')?.child('w:numId')
    const numId = numbers && target.attribute(numbers, 'w:val')
    const number = numId === undefined ? undefined : this.#number(numId)
    if (numbers && number !== undefined) target.setAttribute(numbers, 'w:val', number)
    this.names.push(name)
    return free
  }
}
