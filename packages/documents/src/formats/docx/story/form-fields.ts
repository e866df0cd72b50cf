import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { isOn, numberOf, valOf } from '../parts/values.ts'

/** A field of an older form: a text, a box to check or a list to choose from. */
export interface OlderFormField {
  readonly kind: 'text' | 'check box' | 'drop-down'
  readonly name: string
  /** `true` or `false` of a box, the chosen entry of a list; of a text only what it begins with. */
  readonly value: string
  /** What a list offers. */
  readonly entries: readonly string[]
  /** Most characters of a text. */
  readonly maxLength: number | undefined
  /** The properties: `w:textInput`, `w:checkBox` or `w:ddList`. */
  readonly node: LiveNode
}

/** The form field that begins with this mark; undefined for other fields. */
export function formFieldOf(tree: LiveTree, begin: LiveNode): OlderFormField | undefined {
  const data = begin.child('w:ffData')
  if (!data) return undefined
  const name = valOf(tree, data, 'w:name') ?? ''
  const box = data.child('w:checkBox')
  if (box) {
    const value = String(isChecked(tree, box))
    return { kind: 'check box', name, value, entries: [], maxLength: undefined, node: box }
  }
  const list = data.child('w:ddList')
  if (list) {
    const entries = list.children
      .filter(own => own.name === 'w:listEntry')
      .map(own => tree.attribute(own, 'w:val') ?? '')
    const chosen = numberOf(valOf(tree, list, 'w:result') ?? valOf(tree, list, 'w:default')) ?? 0
    const value = entries[chosen] ?? ''
    return { kind: 'drop-down', name, value, entries, maxLength: undefined, node: list }
  }
  const text = data.child('w:textInput')
  if (!text) return undefined
  const most = numberOf(valOf(tree, text, 'w:maxLength'))
  return {
    kind: 'text',
    name,
    value: valOf(tree, text, 'w:default') ?? '',
    entries: [],
    maxLength: most !== undefined && most > 0 ? most : undefined,
    node: text,
  }
}

function isChecked(tree: LiveTree, box: LiveNode): boolean {
  const state = box.child('w:checked') ?? box.child('w:default')
  return state !== undefined && isOn(tree.attribute(state, 'w:val'))
}

/** The marks that begin form fields in a paragraph, in order; those in its text boxes are of their own paragraphs. */
export function* formFieldMarks(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (child.name === 'w:txbxContent') continue
    if (child.name === 'w:fldChar' && child.child('w:ffData')) yield child
    else if (child.children.length > 0) yield* formFieldMarks(child)
  }
}
