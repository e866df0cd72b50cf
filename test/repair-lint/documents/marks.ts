import { twice } from '../office-file.ts'
import type { RepairRule } from '../rule.ts'
import { type StoryPart, storiesOf, valuesOf } from './stories.ts'

/** Marks that begin and end at elements of their own. */
function pairRule(id: string, start: string, end: string): RepairRule {
  return {
    id: `docx/${id}`,
    *check(file) {
      for (const story of storiesOf(file)) {
        const starts = valuesOf(story, new Set([start]), 'w:id')
        const ends = valuesOf(story, new Set([end]), 'w:id')
        for (const own of starts)
          if (!ends.includes(own)) yield `${start} ${own} of ${story.name} has no end`
        for (const own of ends)
          if (!starts.includes(own)) yield `${end} ${own} of ${story.name} has no start`
        yield* backwards(story, start, end)
      }
    },
  }
}

function* backwards(story: StoryPart, start: string, end: string): Generator<string> {
  const open = new Set<string>()
  const closed = new Set<string>()
  for (const node of story.elements) {
    const id = story.tree.attribute(node, 'w:id') ?? ''
    if (node.name === end && !open.has(id)) closed.add(id)
    if (node.name !== start) continue
    if (closed.has(id)) yield `${start} ${id} of ${story.name} ends before it starts`
    open.add(id)
  }
}

const bookmarkIdTwice: RepairRule = {
  id: 'docx/bookmark-id-twice',
  *check(file) {
    for (const story of storiesOf(file))
      for (const id of twice(valuesOf(story, new Set(['w:bookmarkStart']), 'w:id')))
        yield `two bookmarks of ${story.name} have the id ${id}`
  },
}

const bookmarkNameTwice: RepairRule = {
  id: 'docx/bookmark-name-twice',
  *check(file) {
    const names = storiesOf(file).flatMap(story =>
      valuesOf(story, new Set(['w:bookmarkStart']), 'w:name'),
    )
    for (const name of twice(names.map(own => own.toLowerCase())))
      yield `two bookmarks are called ${name}`
  },
}

const moveWithoutPartner: RepairRule = {
  id: 'docx/move-without-partner',
  *check(file) {
    const named = (kind: string) =>
      new Set(storiesOf(file).flatMap(story => valuesOf(story, new Set([kind]), 'w:name')))
    const from = named('w:moveFromRangeStart')
    const to = named('w:moveToRangeStart')
    for (const name of from) if (!to.has(name)) yield `the move ${name} goes nowhere`
    for (const name of to) if (!from.has(name)) yield `the move ${name} comes from nowhere`
  },
}

const fieldNotClosed: RepairRule = {
  id: 'docx/field-not-closed',
  *check(file) {
    for (const story of storiesOf(file)) {
      const open: string[] = []
      for (const node of story.elements) {
        if (node.name !== 'w:fldChar') continue
        const type = story.tree.attribute(node, 'w:fldCharType')
        if (type === 'begin') open.push('begin')
        else if (open.length === 0) yield `a field of ${story.name} has a ${type} and no begin`
        else if (type === 'end') open.pop()
        else if (open.at(-1) === 'separate') yield `a field of ${story.name} has two results`
        else open[open.length - 1] = 'separate'
      }
      for (const _ of open) yield `a field of ${story.name} has no end`
    }
  },
}

export const MARK_RULES: readonly RepairRule[] = [
  pairRule('bookmark-without-pair', 'w:bookmarkStart', 'w:bookmarkEnd'),
  pairRule('comment-range-without-pair', 'w:commentRangeStart', 'w:commentRangeEnd'),
  pairRule('permission-without-pair', 'w:permStart', 'w:permEnd'),
  pairRule('move-from-without-pair', 'w:moveFromRangeStart', 'w:moveFromRangeEnd'),
  pairRule('move-to-without-pair', 'w:moveToRangeStart', 'w:moveToRangeEnd'),
  bookmarkIdTwice,
  bookmarkNameTwice,
  moveWithoutPartner,
  fieldNotClosed,
]
