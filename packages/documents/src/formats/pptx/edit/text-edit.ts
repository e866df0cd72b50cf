import { encodeText, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import type { TextEdit } from '../../../runs/align-text.ts'
import { aroundRange, neighbourSpan, prevailingSpan, spansIn } from '../../../runs/spans.ts'
import { type SlideSpan, type SlideTextMap, textMapOf } from '../slide/text.ts'

/** Edits the text of a paragraph in the runs it is in, last edit first; new text looks like most of what it replaces. */
export function editParagraph(
  tree: LiveTree,
  paragraph: LiveNode,
  edits: readonly TextEdit[],
): void {
  const map = textMapOf(tree, paragraph)
  const ordered = [...edits].sort((a, b) => b.start - a.start || b.end - a.end)
  for (const edit of ordered) replaceRange(tree, paragraph, map, edit)
}

function replaceRange(
  tree: LiveTree,
  paragraph: LiveNode,
  map: SlideTextMap,
  edit: TextEdit,
): void {
  const covered = spansIn(map, edit.start, edit.end).filter(({ piece }) => piece.kind !== 'token')
  const texts = covered.filter(({ piece }) => piece.kind === 'text')
  const host =
    texts.length > 0
      ? prevailingSpan(texts, edit, ({ run }) => lookXml(tree, run))
      : neighbourSpan(map, edit.start, ({ kind }) => kind === 'text')
  for (const span of [...covered].reverse()) if (span !== host) cut(tree, span, edit, '')
  if (host) cut(tree, host, edit, edit.text)
  else if (edit.text !== '') addRun(tree, paragraph, edit.text)
}

function lookXml(tree: LiveTree, run: LiveNode | undefined): string {
  const properties = run?.child('a:rPr')
  return properties ? tree.xmlOf(properties, isNoise) : ''
}

/** What a program notes about text, such as its spelling. */
export function isNoise(name: string): boolean {
  return /^(err|dirty|smtClean|smtId|a:extLst)$/.test(name)
}

function cut(tree: LiveTree, span: SlideSpan, range: TextEdit, text: string): void {
  const { node, run, kind } = span.piece
  if (kind === 'mark') return tree.remove(node)
  const [kept, rest] = aroundRange(span, range, tree.textOf(node))
  setRunText(tree, run!, node, `${kept}${text}${rest}`)
}

/** A line break is an element between runs. */
function setRunText(tree: LiveTree, run: LiveNode, node: LiveNode, text: string): void {
  const [first = '', ...others] = text.split('\n')
  if (text === '') return removeRun(tree, run)
  const look = run.child('a:rPr')
  const made = others.flatMap(part => [
    ...breakLike(tree, look),
    ...(part === '' ? [] : runLike(tree, look, part)),
  ])
  if (made.length > 0) tree.after(run, made)
  if (first === '') tree.remove(run)
  else tree.setText(node, first)
}

/** The last run leaves its look to the end of the paragraph. */
function removeRun(tree: LiveTree, run: LiveNode): void {
  const paragraph = run.parent!
  const look = run.child('a:rPr')
  tree.remove(run)
  const isEmpty = !paragraph.children.some(({ name }) => /^a:(r|fld)$/.test(name))
  if (isEmpty && look && !paragraph.child('a:endParaRPr'))
    tree.append(paragraph, tree.fragment(lookAs(tree, look, 'a:endParaRPr')))
}

/** Properties of text under another name, without links and notes of the program. */
export function lookAs(tree: LiveTree, look: LiveNode, name: string): string {
  return tree
    .xmlOf(look, own => isNoise(own) || /^a:hlink/.test(own))
    .replace(/^<[\w:]+/, `<${name}`)
    .replace(/<\/[\w:]+>$/, `</${name}>`)
}

export function runLike(
  tree: LiveTree,
  look: LiveNode | undefined,
  text: string,
): readonly LiveNode[] {
  const properties = look ? lookAs(tree, look, 'a:rPr') : ''
  return tree.fragment(`<a:r>${properties}<a:t>${encodeText(text)}</a:t></a:r>`)
}

function breakLike(tree: LiveTree, look: LiveNode | undefined): readonly LiveNode[] {
  return tree.fragment(`<a:br>${look ? lookAs(tree, look, 'a:rPr') : ''}</a:br>`)
}

/** Text for a paragraph without any looks as its end does. */
function addRun(tree: LiveTree, paragraph: LiveNode, text: string): void {
  const end = paragraph.child('a:endParaRPr')
  const nodes = text
    .split('\n')
    .flatMap((part, number) => [
      ...(number > 0 ? breakLike(tree, end) : []),
      ...(part === '' ? [] : runLike(tree, end, part)),
    ])
  tree.insert(paragraph, end ? end.index : paragraph.children.length, nodes)
}

/** The runs of a range alone: those at its ends are split. */
export function runsIn(
  tree: LiveTree,
  paragraph: LiveNode,
  start: number,
  end: number,
): readonly LiveNode[] {
  for (const at of [end, start]) splitAt(tree, paragraph, at)
  return spansIn(textMapOf(tree, paragraph), start, end).flatMap(({ piece }) => piece.run ?? [])
}

function splitAt(tree: LiveTree, paragraph: LiveNode, at: number): void {
  const span = textMapOf(tree, paragraph).spans.find(own => own.start < at && at < own.end)
  const { run, node } = span?.piece ?? {}
  if (!span || !run || !node) return
  const text = tree.textOf(node)
  const copy = tree.clone(run)
  tree.setText(copy.child('a:t')!, text.slice(at - span.start))
  tree.after(run, [copy])
  tree.setText(node, text.slice(0, at - span.start))
}
