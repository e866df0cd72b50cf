import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { showsPrompt } from './index-story.ts'

export type ControlKind = 'text' | 'check box' | 'drop-down' | 'combo box' | 'date'

/** A content control that takes one value. */
export interface FormControl {
  readonly node: LiveNode
  readonly kind: ControlKind
  /** Its title and its tag: what a person calls it. */
  readonly names: readonly string[]
  /** It shows its prompt: nobody filled it. */
  readonly isEmpty: boolean
}

const KINDS: Readonly<Record<string, ControlKind>> = {
  'w14:checkbox': 'check box',
  'w:dropDownList': 'drop-down',
  'w:comboBox': 'combo box',
  'w:date': 'date',
}
/** Controls that hold other things than one value. */
const OTHERS: ReadonlySet<string> = new Set(
  'w:docPartObj w:docPartList w:group w:picture w:citation w:bibliography w:equation w15:repeatingSection w15:repeatingSectionItem'.split(
    ' ',
  ),
)
const MOST_AROUND = 64

/**
 * The controls of a paragraph, in a fixed order: those in it, then those around it that begin with it. Their number in
 * this list names them.
 */
export function controlsOf(tree: LiveTree, paragraph: LiveNode): readonly FormControl[] {
  return [...inside(paragraph), ...around(paragraph)].map(node => toControl(tree, node))
}

/** Whether the control is around the paragraph. */
export function isAround({ node }: FormControl, paragraph: LiveNode): boolean {
  for (let at = paragraph.parent; at; at = at.parent) if (at === node) return true
  return false
}

/** A control without other controls that takes a value. */
export function takesValue({ node }: FormControl): boolean {
  const properties = node.child('w:sdtPr')
  const content = node.child('w:sdtContent')
  if (!properties || !content) return false
  if (properties.children.some(({ name }) => OTHERS.has(name))) return false
  return content.all('w:sdt').next().done === true
}

function toControl(tree: LiveTree, node: LiveNode): FormControl {
  const properties = node.child('w:sdtPr')
  const kind = properties?.children.find(({ name }) => Object.hasOwn(KINDS, name))
  const names = ['w:alias', 'w:tag'].flatMap(
    name => tree.attribute(properties?.child(name), 'w:val') ?? [],
  )
  return {
    node,
    kind: kind ? KINDS[kind.name]! : 'text',
    names: names.filter(name => name !== ''),
    isEmpty: showsPrompt(tree, node),
  }
}

function* inside(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (child.name === 'w:txbxContent') continue
    if (child.name === 'w:sdt') yield child
    yield* inside(child)
  }
}

function* around(paragraph: LiveNode): Generator<LiveNode> {
  let at = paragraph.parent
  for (let depth = 0; at && depth < MOST_AROUND; depth++, at = at.parent) {
    if (at.name !== 'w:sdt') continue
    if (at.all('w:p').next().value !== paragraph) return
    yield at
  }
}
