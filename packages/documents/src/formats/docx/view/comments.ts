import type { LiveNode } from '../../../opc/index.ts'
import { isOn } from '../parts/values.ts'
import type { Manuscript } from '../story/manuscript.ts'
import type { Story } from '../story/story.ts'

const MOST_TEXT = 120 // characters

/** A comment as the map lists it. */
export interface CommentField {
  readonly id: string
  readonly author: string
  readonly text: string
  /** Where it is anchored. */
  readonly paragraph?: string
  /** The comment that it answers. */
  readonly answers?: string
  readonly isResolved?: boolean
}

export function commentsOf(manuscript: Manuscript): readonly CommentField[] {
  const comments = manuscript.story('comments')
  if (!comments) return []
  const anchors = anchorsOf(manuscript.stories)
  const threads = threadsOf(manuscript)
  const all = comments.root.children.filter(({ name }) => name === 'w:comment')
  const idByThread = new Map(all.map(node => [threadOf(comments, node), idOf(comments, node)]))
  return all.map(node => {
    const id = idOf(comments, node)
    const paragraph = anchors.get(id)
    const thread = threads.get(threadOf(comments, node) ?? '')
    const answers = idByThread.get(thread?.parent)
    return {
      id,
      author: comments.tree.attribute(node, 'w:author') ?? '',
      text: textOf(comments, node),
      ...(paragraph !== undefined && { paragraph }),
      ...(answers !== undefined && thread?.parent !== undefined && { answers }),
      ...(thread?.isDone && { isResolved: true }),
    }
  })
}

function idOf({ tree }: Story, node: LiveNode): string {
  return tree.attribute(node, 'w:id') ?? ''
}

function textOf({ tree }: Story, node: LiveNode): string {
  const text = [...node.all('w:p')]
    .map(own => [...own.all('w:t')].map(each => tree.textOf(each)).join(''))
    .join(' / ')
  return text.length > MOST_TEXT ? `${[...text].slice(0, MOST_TEXT - 1).join('')}…` : text
}

function threadOf({ tree }: Story, node: LiveNode): string | undefined {
  const last = node.children.findLast(({ name }) => name === 'w:p')
  return last && tree.attribute(last, 'w14:paraId')
}

function anchorsOf(stories: readonly Story[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const story of stories)
    for (const mark of story.root.all('w:commentReference')) {
      const holder = mark.closest('w:p')
      const paragraph = holder && story.idOf(holder)
      const id = story.tree.attribute(mark, 'w:id')
      if (id !== undefined && paragraph !== undefined && !found.has(id)) found.set(id, paragraph)
    }
  return found
}

interface Thread {
  readonly parent: string | undefined
  readonly isDone: boolean
}

function threadsOf(manuscript: Manuscript): ReadonlyMap<string, Thread> {
  const tree = manuscript.package.linkedTree('commentsExtended')
  return new Map(
    (tree?.root.children ?? []).flatMap(node => {
      const id = node.isText ? undefined : tree?.attribute(node, 'w15:paraId')
      if (!tree || id === undefined) return []
      const done = tree.attribute(node, 'w15:done')
      const parent = tree.attribute(node, 'w15:paraIdParent')
      return [[id, { parent, isDone: done !== undefined && isOn(done) }] as const]
    }),
  )
}
