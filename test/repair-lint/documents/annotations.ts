import { type OfficeFile, twice } from '../office-file.ts'
import type { RepairRule } from '../rule.ts'
import { type StoryPart, storiesOf, storiesOfKind, valuesOf } from './stories.ts'

const COMMENT_MARKS = new Set(['w:commentReference', 'w:commentRangeStart', 'w:commentRangeEnd'])

/** Ids of the comments or notes that a part holds, without separators. */
function idsIn(story: StoryPart, element: string): string[] {
  const { tree } = story
  return tree.root.children
    .filter(({ name }) => name === element)
    .filter(node => (tree.attribute(node, 'w:type') ?? 'normal') === 'normal')
    .flatMap(node => tree.attribute(node, 'w:id') ?? [])
}

function idsOf(file: OfficeFile, kind: string): string[] {
  return storiesOfKind(file, kind).flatMap(story => idsIn(story, `w:${kind.slice(0, -1)}`))
}

function marksOf(file: OfficeFile, names: ReadonlySet<string>): string[] {
  return storiesOf(file).flatMap(story => valuesOf(story, names, 'w:id'))
}

const commentWithoutAnchor: RepairRule = {
  id: 'docx/comment-without-anchor',
  *check(file) {
    const marks = new Set(marksOf(file, new Set(['w:commentReference'])))
    for (const id of idsOf(file, 'comments'))
      if (!marks.has(id)) yield `nothing refers to comment ${id}`
  },
}

const anchorWithoutComment: RepairRule = {
  id: 'docx/anchor-without-comment',
  *check(file) {
    const ids = new Set(idsOf(file, 'comments'))
    for (const id of marksOf(file, COMMENT_MARKS))
      if (!ids.has(id)) yield `comment ${id} has a mark and is not there`
  },
}

const commentIdTwice: RepairRule = {
  id: 'docx/comment-id-twice',
  *check(file) {
    for (const id of twice(idsOf(file, 'comments'))) yield `two comments have the id ${id}`
    for (const id of twice(marksOf(file, new Set(['w:commentReference']))))
      yield `comment ${id} has two anchors`
  },
}

const threadWithoutComment: RepairRule = {
  id: 'docx/thread-without-comment',
  *check(file) {
    const ids = new Set(
      storiesOfKind(file, 'comments').flatMap(story =>
        valuesOf(story, new Set(['w:p']), 'w14:paraId'),
      ),
    )
    for (const kind of ['commentsExtended', 'commentsIds'])
      for (const name of file.linked(file.main, kind)) {
        const tree = file.tree(name)
        for (const entry of tree?.root.children ?? [])
          for (const { name: attribute, value } of tree!.attributesOf(entry))
            if (/:paraId(Parent)?$/.test(attribute) && !ids.has(value))
              yield `${attribute} ${value} of ${kind} is the paragraph of no comment`
      }
  },
}

function noteRules(kind: 'footnotes' | 'endnotes'): RepairRule[] {
  const word = kind.slice(0, -1)
  const reference = new Set([`w:${word}Reference`])
  return [
    {
      id: `docx/${word}-without-anchor`,
      *check(file) {
        const marks = new Set(marksOf(file, reference))
        for (const id of idsOf(file, kind))
          if (!marks.has(id)) yield `nothing refers to ${word} ${id}`
      },
    },
    {
      id: `docx/anchor-without-${word}`,
      *check(file) {
        const ids = new Set(idsOf(file, kind))
        for (const id of marksOf(file, reference))
          if (!ids.has(id)) yield `${word} ${id} has a mark and is not there`
      },
    },
    {
      id: `docx/${word}-id-twice`,
      *check(file) {
        for (const id of twice(idsOf(file, kind))) yield `two ${kind} have the id ${id}`
        for (const id of twice(marksOf(file, reference))) yield `${word} ${id} has two marks`
      },
    },
  ]
}

const noteOutsideBody: RepairRule = {
  id: 'docx/note-outside-body',
  *check(file) {
    for (const story of storiesOf(file))
      if (story.kind !== 'document')
        for (const node of story.elements)
          if (/^w:(foot|end)noteReference$/.test(node.name))
            yield `${story.name} refers to a note, and only the body may`
  },
}

const separatorMissing: RepairRule = {
  id: 'docx/note-separator-missing',
  *check(file) {
    const settings = file.tree(file.linked(file.main, 'settings')[0])
    for (const kind of ['footnotes', 'endnotes']) {
      const word = kind.slice(0, -1)
      const ids = storiesOfKind(file, kind).flatMap(story =>
        valuesOf(story, new Set([`w:${word}`]), 'w:id'),
      )
      for (const node of settings?.root.child(`w:${word}Pr`)?.children ?? []) {
        const id = settings!.attribute(node, 'w:id')
        if (node.name === `w:${word}` && !ids.includes(id ?? ''))
          yield `the settings name the separator ${id} of the ${kind}, which is not there`
      }
    }
  },
}

export const ANNOTATION_RULES: readonly RepairRule[] = [
  commentWithoutAnchor,
  anchorWithoutComment,
  commentIdTwice,
  threadWithoutComment,
  ...noteRules('footnotes'),
  ...noteRules('endnotes'),
  noteOutsideBody,
  separatorMissing,
]
