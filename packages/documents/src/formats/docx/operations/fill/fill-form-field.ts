import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { invalid } from '../../edit/editor.ts'
import { endOfField, textXml } from '../../edit/text-edit.ts'
import { formFieldMarks, formFieldOf, type OlderFormField } from '../../story/form-fields.ts'
import { isYes } from './check-box.ts'
import type { FillValue } from './fill-data.ts'

/** Puts a value into a field of an older form: the box is checked, the entry chosen, the text written. */
export function fillFormField(
  tree: LiveTree,
  paragraph: LiveNode,
  number: number,
  value: FillValue,
): void {
  const begin = [...formFieldMarks(paragraph)][number]
  const field = begin && formFieldOf(tree, begin)
  if (!begin || !field)
    throw new Refusal('CONFLICT', 'the form field is not there any more; read the paragraph again')
  if (field.kind === 'check box') check(tree, field, value)
  else if (field.kind === 'drop-down') choose(tree, field, value)
  else write(tree, paragraph, begin, field, String(value))
}

function check(tree: LiveTree, { node, name }: OlderFormField, value: FillValue): void {
  const state = isYes(value, name) ? '1' : '0'
  const known = node.child('w:checked')
  if (known) tree.setAttribute(known, 'w:val', state)
  else tree.append(node, tree.fragment(`<w:checked w:val="${state}"/>`))
}

function choose(tree: LiveTree, { node, name, entries }: OlderFormField, value: FillValue): void {
  const wanted = String(value).trim().toLowerCase()
  const at = entries.findIndex(own => own.trim().toLowerCase() === wanted)
  if (at < 0)
    throw invalid(
      `the drop-down ${JSON.stringify(name)} has no entry ${JSON.stringify(value)}; its entries are ${entries.map(own => JSON.stringify(own)).join(', ') || 'none'}`,
    )
  const known = node.child('w:result')
  if (known) tree.setAttribute(known, 'w:val', String(at))
  else tree.insert(node, 0, tree.fragment(`<w:result w:val="${at}"/>`))
}

/** The text takes the look of what stood there; the field stays, and can be filled again. */
function write(
  tree: LiveTree,
  paragraph: LiveNode,
  begin: LiveNode,
  { name, maxLength }: OlderFormField,
  value: string,
): void {
  if (maxLength !== undefined && [...value].length > maxLength)
    throw invalid(
      `the form field ${JSON.stringify(name)} takes at most ${maxLength} characters, not ${[...value].length}`,
    )
  const end = endOfField(tree, paragraph, begin).closest('w:r')
  const first = begin.parent!
  if (!end || end.parent !== first.parent || end.index < first.index)
    throw new Refusal('CONFLICT', `the form field ${JSON.stringify(name)} ends in another place`)
  const inside = first.parent!.children.slice(first.index + 1, end.index)
  const separator = inside.find(own => isMark(tree, own, 'separate'))
  const shown = separator ? inside.slice(inside.indexOf(separator) + 1) : []
  const look = shown.find(own => own.name === 'w:r')?.child('w:rPr') ?? first.child('w:rPr')
  const [run] = tree.fragment(`<w:r>${textXml(value)}</w:r>`)
  if (look) tree.insert(run!, 0, [tree.clone(look)])
  if (!separator)
    tree.before(end, tree.fragment('<w:r><w:fldChar w:fldCharType="separate"/></w:r>'))
  tree.before(end, value === '' ? [] : [run!])
  for (const own of shown) if (own.name === 'w:r') tree.remove(own)
}

function isMark(tree: LiveTree, { children }: LiveNode, type: string): boolean {
  return children.some(
    own => own.name === 'w:fldChar' && tree.attribute(own, 'w:fldCharType') === type,
  )
}
