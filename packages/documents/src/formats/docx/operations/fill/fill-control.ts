import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { setBoundData } from '../../edit/bound-data.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { removeProperty } from '../../edit/properties.ts'
import { textXml } from '../../edit/text-edit.ts'
import type { FormControl } from '../../story/controls.ts'
import type { Story } from '../../story/story.ts'
import { isYes } from './check-box.ts'
import type { FillValue } from './fill-data.ts'
import { formatDate } from './format-date.ts'

/** Puts a value into a content control, and into the data that it shows. */
export function fillControl(
  editor: DocumentEditor,
  story: Story,
  control: FormControl,
  value: FillValue,
): void {
  refuseLocked(editor, story.tree, control)
  const { text, data } = chosen(story.tree, control, value)
  const { tree } = story
  const properties = control.node.child('w:sdtPr')!
  removeProperty(tree, properties, 'w:showingPlcHdr')
  setContent(tree, control, text)
  const binding = properties.child('w:dataBinding')
  if (binding) setBoundData(editor.manuscript.package, tree, binding, data)
}

function refuseLocked(editor: DocumentEditor, tree: LiveTree, { node, names }: FormControl): void {
  const lock = tree.attribute(node.child('w:sdtPr')?.child('w:lock'), 'w:val')
  if (lock !== 'contentLocked' && lock !== 'sdtContentLocked') return
  if (editor.options.allowProtected) return editor.note('a content control is locked')
  throw new Refusal(
    'PROTECTED',
    `the content control ${JSON.stringify(names[0] ?? '')} is locked; ask the person, then send allow_protected: true`,
  )
}

/** The text that the control shows for a value, and what its data holds. */
function chosen(
  tree: LiveTree,
  control: FormControl,
  value: FillValue,
): { readonly text: string; readonly data: string } {
  const properties = control.node.child('w:sdtPr')!
  const name = JSON.stringify(control.names[0] ?? '')
  if (control.kind === 'check box')
    return checked(tree, properties.child('w14:checkbox')!, value, control.names[0] ?? '')
  if (control.kind === 'date') return dated(tree, properties.child('w:date')!, value, name)
  const list = properties.child('w:dropDownList') ?? properties.child('w:comboBox')
  const given = String(value)
  if (!list) return { text: given, data: given }
  const items = list.children.flatMap(node => {
    if (node.name !== 'w:listItem') return []
    const own = tree.attribute(node, 'w:value') ?? ''
    return [{ value: own, text: tree.attribute(node, 'w:displayText') ?? own }]
  })
  const folded = given.trim().toLowerCase()
  const item =
    items.find(own => own.text === given || own.value === given) ??
    items.find(own => own.text.toLowerCase() === folded || own.value.toLowerCase() === folded)
  if (item) return { text: item.text, data: item.value }
  if (control.kind === 'combo box') return { text: given, data: given }
  throw invalid(
    `the drop-down ${name} has no entry ${JSON.stringify(given)}; its entries are ${items
      .filter(own => own.value !== '')
      .slice(0, 40)
      .map(own => JSON.stringify(own.text))
      .join(', ')}`,
  )
}

function checked(tree: LiveTree, box: LiveNode, value: FillValue, name: string) {
  const isChecked = isYes(value, name)
  const state = box.child('w14:checked')
  if (state) tree.setAttribute(state, 'w14:val', isChecked ? '1' : '0')
  else tree.insert(box, 0, tree.fragment(`<w14:checked w14:val="${isChecked ? 1 : 0}"/>`))
  const symbol = box.child(isChecked ? 'w14:checkedState' : 'w14:uncheckedState')
  const code = Number.parseInt(tree.attribute(symbol, 'w14:val') ?? '', 16)
  const isCode = Number.isInteger(code) && code > 0x20 && code < 0xd800
  const text = isCode ? String.fromCodePoint(code) : isChecked ? '☒' : '☐'
  return { text, data: String(isChecked) }
}

function dated(tree: LiveTree, properties: LiveNode, value: FillValue, name: string) {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(String(value))
  const date = match ? new Date(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`) : undefined
  if (!date || Number.isNaN(date.getTime()))
    throw invalid(
      `${name} is a date: its value is such as "2026-03-31", not ${JSON.stringify(value)}`,
    )
  const full = `${date.toISOString().slice(0, 10)}T00:00:00Z`
  tree.setAttribute(properties, 'w:fullDate', full)
  const format = tree.attribute(properties.child('w:dateFormat'), 'w:val') ?? 'yyyy-MM-dd'
  const language = tree.attribute(properties.child('w:lid'), 'w:val') ?? 'en-US'
  const stored = tree.attribute(properties.child('w:storeMappedDataAs'), 'w:val')
  const text = formatDate(date, format, language)
  return { text, data: stored === 'text' ? text : stored === 'date' ? full.slice(0, 10) : full }
}

/** The first run keeps its look, without that of a prompt; a control around paragraphs keeps its first one. */
function setContent(tree: LiveTree, { node, kind, names }: FormControl, text: string): void {
  const content = node.child('w:sdtContent')!
  const isRich = ['w:drawing', 'w:pict', 'w:tbl'].some(name => !content.all(name).next().done)
  if (isRich)
    throw new Refusal(
      'CONFLICT',
      `the content control ${JSON.stringify(names[0] ?? '')} holds a picture or a table, which a value would replace`,
    )
  const [paragraph] = content.all('w:p')
  const host = paragraph ?? content
  const [first] = host.all('w:r')
  const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
  const look = first?.child('w:rPr') ?? node.child('w:sdtPr')?.child('w:rPr')
  if (look) tree.insert(run!, 0, [withoutPrompt(tree, tree.clone(look), kind === 'check box')])
  const kept = host.children.filter(child => child.name === 'w:pPr')
  tree.setChildren(host, [...kept, run!])
  if (!paragraph) return
  for (const other of [...content.all('w:p')].slice(1)) tree.remove(other)
}

function withoutPrompt(tree: LiveTree, look: LiveNode, keepsFont: boolean): LiveNode {
  const style = look.child('w:rStyle')
  if (style && /placeholder/i.test(tree.attribute(style, 'w:val') ?? '')) tree.remove(style)
  removeProperty(tree, look, 'w:rPrChange')
  if (!keepsFont) removeProperty(tree, look, 'w:highlight')
  return look
}
