import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { alignText } from '../../../runs/align-text.ts'
import { TOKEN } from '../../../runs/token.ts'
import { levelOf, paragraphsOf, shownText, textMapOf } from '../slide/text.ts'
import { wrongArgument } from './editor.ts'
import { editParagraph, lookAs, runLike } from './text-edit.ts'

/** A paragraph to write; a line break in it is a line break. */
export interface SlideLine {
  readonly text: string
  readonly level: number
}

/** A text, each line a paragraph, or the paragraphs one by one. */
export type WrittenLines = string | readonly (string | LeveledLine)[]

interface LeveledLine {
  readonly text: string
  readonly level?: number | undefined
}

const MOST_LEVEL = 8
const MARKER = /^([ \t]*)[•\-*–]\s+/
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** The paragraphs that a text, or a list of texts and `{text, level}`, stands for. */
export function linesOf(value: WrittenLines, what: string): readonly SlideLine[] {
  const items = typeof value === 'string' ? [value] : value
  const lines = items.flatMap(item =>
    typeof item === 'string' ? plainLines(item) : [leveled(item)],
  )
  const isMarked = lines.filter(({ text }) => text !== '').every(({ text }) => MARKER.test(text))
  for (const { text } of lines)
    if (UNWRITABLE.test(text) || text.includes(TOKEN))
      throw wrongArgument(`${what} has characters that a deck cannot hold`)
  return lines.map(line => ({
    ...line,
    text: (isMarked ? line.text.replace(MARKER, '') : line.text).replaceAll('⏎', '\n'),
  }))
}

function leveled({ text, level = 0 }: LeveledLine): SlideLine {
  return { text: text.replaceAll(/\r?\n/g, '\n'), level }
}

/** Each line of a text is a paragraph; two spaces or a tab in front are a level. */
function plainLines(text: string): readonly SlideLine[] {
  return text.split(/\r?\n/).map(line => {
    const indent = /^(?: {2}|\t)*/.exec(line)![0]
    const level = indent.replaceAll('  ', '\t').length
    return { text: line.slice(indent.length), level: Math.min(level, MOST_LEVEL) }
  })
}

/** Makes the text of a body say these lines; paragraphs that say so already stay as they are. */
export function setLines(tree: LiveTree, body: LiveNode, lines: readonly SlideLine[]): boolean {
  const old = paragraphsOf(body)
  const wanted = lines.length === 0 ? [{ text: '', level: 0 }] : lines
  const isSame = (node: LiveNode | undefined, line: SlideLine | undefined) =>
    node !== undefined &&
    line !== undefined &&
    levelOf(tree, node) === line.level &&
    shownText(tree, node) === line.text
  let head = 0
  while (head < wanted.length && isSame(old[head], wanted[head])) head++
  let tail = 0
  const most = Math.min(old.length, wanted.length) - head
  while (tail < most && isSame(old[old.length - 1 - tail], wanted[wanted.length - 1 - tail])) tail++
  const gone = old.slice(head, old.length - tail)
  const made = wanted.slice(head, wanted.length - tail)
  if (gone.length === 0 && made.length === 0) return false
  let after = old[head - 1]
  for (const [number, line] of made.entries()) {
    const node = place(tree, body, { line, old, current: gone[number], after })
    after = node
  }
  for (const node of gone.slice(made.length)) tree.remove(node)
  return true
}

interface Placed {
  readonly line: SlideLine
  readonly old: readonly LiveNode[]
  /** The paragraph that stands there. */
  readonly current: LiveNode | undefined
  readonly after: LiveNode | undefined
}

function place(tree: LiveTree, body: LiveNode, { line, old, current, after }: Placed): LiveNode {
  if (current && levelOf(tree, current) === line.level && !hasToken(tree, current)) {
    editParagraph(tree, current, alignText(textMapOf(tree, current).text, line.text))
    return current
  }
  const node = paragraphLike(tree, modelFor(tree, old, line.level, after), line)
  if (current) {
    tree.after(current, [node])
    tree.remove(current)
  } else if (after) tree.after(after, [node])
  else tree.append(body, [node])
  return node
}

function hasToken(tree: LiveTree, paragraph: LiveNode): boolean {
  return textMapOf(tree, paragraph).text.includes(TOKEN)
}

/** Adds paragraphs behind the last one that says something; empty ones at the end stay there. */
export function appendLines(tree: LiveTree, body: LiveNode, lines: readonly SlideLine[]): boolean {
  if (lines.length === 0) return false
  const old = paragraphsOf(body)
  const last = old.findLast(node => shownText(tree, node).trim() !== '')
  if (!last) return setLines(tree, body, lines)
  const made = lines.map(line => {
    const text = line.text === '' ? '' : `${spacesOf(tree, old, line)}${line.text}`
    return paragraphLike(tree, modelFor(tree, old, line.level), { ...line, text })
  })
  tree.after(last, made)
  return true
}

/** The spaces with which some decks hold their text off the bullet. */
function spacesOf(
  tree: LiveTree,
  paragraphs: readonly LiveNode[],
  { text, level }: SlideLine,
): string {
  const texts = paragraphs
    .filter(node => levelOf(tree, node) === level)
    .map(node => shownText(tree, node))
    .filter(own => own.trim() !== '')
  const spaces = /^ */.exec(texts.at(-1) ?? '')![0]
  const isHabit = !text.startsWith(' ') && texts.every(own => /^ */.exec(own)![0] === spaces)
  return isHabit ? spaces : ''
}

/** The last paragraph of that level that says something, else the one above, else the last one. */
function modelFor(
  tree: LiveTree,
  paragraphs: readonly LiveNode[],
  level: number,
  above?: LiveNode,
): LiveNode | undefined {
  const own = paragraphs.filter(node => levelOf(tree, node) === level)
  const says = (node: LiveNode) => node.children.some(({ name }) => name === 'a:r')
  const others = above ? [...paragraphs, above] : paragraphs
  return own.findLast(says) ?? own.at(-1) ?? others.findLast(says) ?? paragraphs.at(-1)
}

/** A new paragraph that looks like another; of another level only as far as that level allows. */
function paragraphLike(tree: LiveTree, model: LiveNode | undefined, line: SlideLine): LiveNode {
  const [made] = tree.fragment('<a:p/>')
  const properties = propertiesLike(tree, model, line.level)
  if (properties) tree.append(made!, [properties])
  const end = model?.child('a:endParaRPr')
  const look = (model && prevailingLook(tree, model)) ?? end
  for (const [number, part] of line.text.split('\n').entries()) {
    if (number > 0) tree.append(made!, tree.fragment('<a:br/>'))
    if (part !== '') tree.append(made!, runLike(tree, look, part))
  }
  if (line.text === '' && end) tree.append(made!, [tree.clone(end)])
  return made!
}

/** That of most of its text, not of a bold lead-in. */
function prevailingLook(tree: LiveTree, paragraph: LiveNode): LiveNode | undefined {
  const amounts = new Map<string, { readonly look: LiveNode | undefined; length: number }>()
  for (const run of paragraph.children.filter(({ name }) => name === 'a:r')) {
    const look = run.child('a:rPr')
    const text = run.child('a:t')
    const key = look ? lookAs(tree, look, 'a:rPr') : ''
    const known = amounts.get(key) ?? { look, length: 0 }
    known.length += text ? tree.textOf(text).length : 0
    amounts.set(key, known)
  }
  return [...amounts.values()].reduce<{ look: LiveNode | undefined; length: number } | undefined>(
    (most, own) => (most && most.length >= own.length ? most : own),
    undefined,
  )?.look
}

function propertiesLike(
  tree: LiveTree,
  model: LiveNode | undefined,
  level: number,
): LiveNode | undefined {
  const known = model?.child('a:pPr')
  const isOther = model !== undefined && levelOf(tree, model) !== level
  if (!known && level === 0) return undefined
  const properties = known ? tree.clone(known) : tree.fragment('<a:pPr/>')[0]!
  tree.setAttribute(properties, 'lvl', level === 0 ? undefined : String(level))
  if (!isOther) return properties
  for (const name of ['marL', 'indent']) tree.setAttribute(properties, name, undefined)
  for (const child of [...properties.children]) if (/^a:bu/.test(child.name)) tree.remove(child)
  return properties
}
