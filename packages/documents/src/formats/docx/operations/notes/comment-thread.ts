import { type LiveNode, type LiveTree, uriOfPrefix } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import type { Story } from '../../story/story.ts'

/** Parts that say more about comments: which answers which, which are done. Each names a comment by its last paragraph. */
const EXTENDED = {
  kind: 'commentsExtended',
  link: 'http://schemas.microsoft.com/office/2011/relationships/commentsExtended',
  type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.commentsExtended+xml',
}

export interface CommentSpot {
  /** By which it was named. */
  readonly id: string
  readonly node: LiveNode
  readonly comments: Story
}

/** The comment that an operation names by its id; a replay without an earlier comment finds it under another one. */
export function commentOf(editor: DocumentEditor, comment: string | number): CommentSpot {
  const { id, first } = editor.resolve('thread', () => findComment(editor, comment))
  const comments = editor.manuscript.story('comments')
  const node = comments?.root.children.find(
    own => own.name === 'w:comment' && firstParagraph(comments, own) === first,
  )
  if (comments && node) return { id, node, comments }
  throw new Refusal('NO_SUCH_REGION', `comment ${id} is not there any more`)
}

function findComment({ manuscript, op }: DocumentEditor, comment: string | number) {
  const [, id] = /^\s*⟦?\s*(?:comment\s*)?(\d+)\s*⟧?\s*$/i.exec(String(comment)) ?? []
  if (id === undefined) throw invalid(`${op} needs comment: an id such as 3, as in ⟦comment 3⟧`)
  const comments = manuscript.story('comments')
  const all = comments?.root.children.filter(({ name }) => name === 'w:comment') ?? []
  const node = all.find(own => comments?.tree.attribute(own, 'w:id') === id)
  if (comments && node) return { id, first: firstParagraph(comments, node) ?? null }
  const ids = all.slice(0, 40).map(own => comments?.tree.attribute(own, 'w:id'))
  throw new Refusal(
    'NO_SUCH_REGION',
    ids.length === 0
      ? 'the document has no comments'
      : `there is no comment ${id}; the comments are ${ids.join(', ')}`,
  )
}

function firstParagraph(comments: Story, comment: LiveNode): string | null | undefined {
  const paragraph = comment.all('w:p').next().value
  return paragraph ? comments.idOf(paragraph) : null
}

/** By which the other parts name a comment; a comment without one gets it. */
export function threadId(editor: DocumentEditor, { tree }: Story, comment: LiveNode): string {
  const paragraph = lastParagraph(comment)
  const own = paragraph && tree.attribute(paragraph, 'w14:paraId')
  if (own !== undefined) return own
  if (!paragraph) throw invalid('the comment has no paragraph')
  declare(tree)
  const made = freeThreadId(editor)
  tree.setAttribute(paragraph, 'w14:paraId', made)
  return made
}

export function knownThreadId({ tree }: Story, comment: LiveNode): string | undefined {
  const paragraph = lastParagraph(comment)
  return paragraph && tree.attribute(paragraph, 'w14:paraId')
}

function lastParagraph(comment: LiveNode): LiveNode | undefined {
  return comment.children.findLast(({ name }) => name === 'w:p')
}

/** Older programs skip what they are told to ignore. */
function declare(tree: LiveTree): void {
  const { root } = tree
  if (tree.scopeOf(root).writtenPrefix('w14') !== undefined) return
  if (tree.attribute(root, 'xmlns:w14') !== undefined) return
  tree.setAttribute(root, 'xmlns:w14', uriOfPrefix('w14', false))
  const hasIgnorable = tree.scopeOf(root).writtenPrefix('mc') !== undefined
  if (!hasIgnorable) tree.setAttribute(root, 'xmlns:mc', uriOfPrefix('mc', false))
  const ignored = tree.attribute(root, 'mc:Ignorable')
  tree.setAttribute(root, 'mc:Ignorable', ignored ? `${ignored} w14` : 'w14')
}

/** Eight digits below 80000000 that no paragraph has. */
function freeThreadId(editor: DocumentEditor): string {
  const used = new Set<string>()
  for (const { tree, paragraphs } of editor.manuscript.stories)
    for (const { node } of paragraphs) used.add(tree.attribute(node, 'w14:paraId') ?? '')
  let number = (Number.parseInt(editor.newId().slice(1), 36) % 0x7ffffffe) + 1
  const show = () => number.toString(16).toUpperCase().padStart(8, '0')
  while (used.has(show())) number = (number % 0x7ffffffe) + 1
  return show()
}

/** The part that holds the threads, made where there is none. */
export function threadsOf({ manuscript }: DocumentEditor): LiveTree {
  const own = manuscript.package
  const known = own.linkedTree(EXTENDED.kind)
  if (known) return known
  const name = 'word/commentsExtended.xml'
  own.addPart(
    name,
    EXTENDED.type,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w15:commentsEx xmlns:w15="${uriOfPrefix('w15', false)}"/>`,
  )
  own.addLink(own.mainName, EXTENDED.link, name)
  return own.linkedTree(EXTENDED.kind)!
}

export function threadEntry(tree: LiveTree | undefined, id: string): LiveNode | undefined {
  return tree?.root.children.find(node => tree.attribute(node, 'w15:paraId') === id)
}

export function ensureThreadEntry(tree: LiveTree, id: string, parent?: string): LiveNode {
  const known = threadEntry(tree, id)
  if (known) return known
  const answers = parent === undefined ? '' : ` w15:paraIdParent="${parent}"`
  const [made] = tree.fragment(`<w15:commentEx w15:paraId="${id}"${answers} w15:done="0"/>`)
  tree.append(tree.root, [made!])
  return made!
}

/** Takes a comment out of all parts that name it. */
export function forgetThread({ manuscript }: DocumentEditor, id: string): void {
  const own = manuscript.package
  const durable = new Set<string>()
  for (const kind of [EXTENDED.kind, 'commentsIds', 'commentsExtensible']) {
    const tree = own.linkedTree(kind)
    for (const node of [...(tree?.root.children ?? [])]) {
      if (!tree || node.isText) continue
      const value = (name: string) =>
        tree.attributesOf(node).find(attribute => attribute.name.endsWith(`:${name}`))?.value
      const stays = value('durableId') ?? ''
      if (value('paraId') !== id && !durable.has(stays)) continue
      if (stays !== '') durable.add(stays)
      tree.remove(node)
    }
  }
}

/** Where the document gives comments lasting ids, a new one gets one too. */
export function addLastingId({ manuscript }: DocumentEditor, id: string): void {
  const tree = manuscript.package.linkedTree('commentsIds')
  const model = tree?.root.children.find(({ isText }) => !isText)
  if (!tree || !model) return
  const used = new Set<string>()
  for (const node of tree.root.children)
    for (const { value } of tree.attributesOf(node)) used.add(value)
  let number = Number.parseInt(id, 16)
  const show = () => number.toString(16).toUpperCase().padStart(8, '0')
  while (used.has(show())) number = (number % 0x7ffffffe) + 1
  const node = tree.clone(model)
  for (const { name } of tree.attributesOf(model))
    if (name.endsWith(':paraId')) tree.setAttribute(node, name, id)
    else if (name.endsWith(':durableId')) tree.setAttribute(node, name, show())
  tree.append(tree.root, [node])
}
