import { at, type LiveNode, type LiveTree, numberAt } from '../../../opc/index.ts'
import { type RunSpan, type SpanMap, spanMapOf } from '../../../runs/spans.ts'
import { TOKEN } from '../../../runs/token.ts'

/** A stretch of a paragraph in one element: text, a line break, or something that is computed. */
export interface SlidePiece {
  readonly kind: 'text' | 'mark' | 'token'
  /** `a:t`, `a:br`, `a:fld` or another element. */
  readonly node: LiveNode
  readonly run: LiveNode | undefined
  readonly text: string
  /** What a click on it opens, by relationship; a replacement never crosses its border. */
  readonly link: string | undefined
  /** What a token shows. */
  readonly label: string
}

export type SlideSpan = RunSpan<SlidePiece>
export type SlideTextMap = SpanMap<SlidePiece>

export function piecesOf(tree: LiveTree, paragraph: LiveNode): readonly SlidePiece[] {
  const pieces: SlidePiece[] = []
  for (const node of paragraph.children) {
    if (node.name === 'a:r') addRun(tree, node, pieces)
    else if (node.name === 'a:br')
      pieces.push({ kind: 'mark', node, run: undefined, text: '\n', link: undefined, label: '' })
    else if (node.name === 'a:fld') pieces.push(token(node, fieldText(tree, node)))
    else if (node.name !== '' && !/^a:(pPr|endParaRPr)$/.test(node.name))
      pieces.push(token(node, [...node.all('m:t')].map(own => tree.textOf(own)).join('')))
  }
  return pieces
}

function addRun(tree: LiveTree, run: LiveNode, pieces: SlidePiece[]): void {
  const node = run.child('a:t')
  if (!node) return
  const click = at(run, 'a:rPr', 'a:hlinkClick')
  const link = click && `${tree.attribute(click, 'r:id')} ${tree.attribute(click, 'action')}`
  pieces.push({ kind: 'text', node, run, text: tree.textOf(node), link, label: '' })
}

function token(node: LiveNode, label: string): SlidePiece {
  return { kind: 'token', node, run: undefined, text: TOKEN, link: undefined, label }
}

function fieldText(tree: LiveTree, field: LiveNode): string {
  const text = field.child('a:t')
  return text ? tree.textOf(text) : ''
}

export function textMapOf(tree: LiveTree, paragraph: LiveNode): SlideTextMap {
  return spanMapOf(piecesOf(tree, paragraph))
}

/** As it is shown: a field with what it says, a line break as one. */
export function shownText(tree: LiveTree, paragraph: LiveNode): string {
  return piecesOf(tree, paragraph)
    .map(({ kind, text, label }) => (kind === 'token' ? label : text))
    .join('')
}

export function paragraphsOf(body: LiveNode): readonly LiveNode[] {
  return body.children.filter(({ name }) => name === 'a:p')
}

const LAST_LEVEL = 8

/** 0 for the first level, 8 for the last, whatever the file says. */
export function levelOf(tree: LiveTree, paragraph: LiveNode): number {
  const level = Math.trunc(numberAt(tree, paragraph.child('a:pPr'), 'lvl') ?? 0)
  return Math.min(Math.max(level, 0), LAST_LEVEL)
}

export function bodyText(tree: LiveTree, body: LiveNode): string {
  return paragraphsOf(body)
    .map(paragraph => shownText(tree, paragraph))
    .join('\n')
}

/** The text up to about so many characters; what follows is not read. */
export function bodyStart(tree: LiveTree, body: LiveNode, most: number): string {
  let text = ''
  for (const paragraph of paragraphsOf(body)) {
    if (text.length > most) break
    text += `${text === '' ? '' : '\n'}${shownText(tree, paragraph)}`
  }
  return text
}

/** Each level as two spaces: how a list is shown and can be sent back. */
export function indentedText(tree: LiveTree, body: LiveNode): string {
  return paragraphsOf(body)
    .map(
      paragraph =>
        `${'  '.repeat(levelOf(tree, paragraph))}${shownText(tree, paragraph).replaceAll('\n', '\u23ce')}`,
    )
    .join('\n')
}
