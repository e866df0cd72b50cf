import type { OperationResult } from '../../../../format.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { changeText } from '../../edit/change-text.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { makeParagraph, modelOf, refuseUnwritable } from '../../edit/new-paragraph.ts'
import { trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import {
  type MarginKind,
  type MarginPages,
  marginReference,
  type PageSection,
  pageSectionsOf,
} from '../../story/page-sections.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { addMargin, isApart, type MarginSpot, separatePages, shownMargin } from './margin-parts.ts'
import { holdsText, lineEdits } from './margin-text.ts'
import { chosenSections, sectionKeys, sectionName } from './sections.ts'

export function setHeader(editor: DocumentEditor, args: DocumentArgs<'set_header'>) {
  return setMargin(editor, args, 'header')
}

export function setFooter(editor: DocumentEditor, args: DocumentArgs<'set_footer'>) {
  return setMargin(editor, args, 'footer')
}

function setMargin(
  editor: DocumentEditor,
  { text: wanted, which, section }: DocumentArgs<'set_header'>,
  kind: MarginKind,
): OperationResult {
  const lines = [wanted].flat().flatMap(text => text.split(/\r?\n/))
  for (const line of lines) refuseUnwritable(line)
  if (!editor.isReplay && lines.some(line => /\{pages?\}/.test(line)))
    throw invalid(
      `${editor.op} would write {page} as it stands; set_page_numbers {text: "Page {page} of {pages}", position: "${kind}"} numbers the pages beside the text of the ${kind}`,
    )
  const spot = { kind, pages: which ?? ('default' as const) }
  const stories = storiesFor(editor, section, spot)
  for (const story of stories) setLines(editor, story, lines)
  if (which === undefined) warnOfOthers(editor, section, kind, ['first', 'even'])
  const where = stories.map(({ name }) => name).join(', ')
  return {
    op: editor.op,
    message:
      stories.length === 0
        ? `No ${kind} was changed.`
        : `Set the text of ${where}; pictures and fields stay.`,
    stories: stories.map(({ name }) => name),
  }
}

/** Says which pages show something else, so that nobody looks for the text there in vain. */
export function warnOfOthers(
  editor: DocumentEditor,
  section: string | number | undefined,
  what: string,
  others: readonly MarginPages[],
): void {
  if (editor.isReplay) return
  const sections = chosenSections(editor, section)
  for (const pages of others) {
    const apart = sections.filter(own => isApart(editor, own, pages))
    if (apart.length === 0) continue
    const where =
      apart.length === sections.length
        ? ''
        : ` of section ${apart.map(own => own.number).join(', ')}`
    const noun = pages === 'first' && apart.length === 1 ? 'first page' : `${pages} pages`
    editor.warn(
      `The ${noun}${where} show${noun.endsWith('s') ? '' : 's'} a ${what} of ${noun.endsWith('s') ? 'their' : 'its'} own, which stays as it is; which: "${pages}" sets it.`,
    )
  }
}

/** The headers or footers that the chosen sections show, made where there is none. */
export function storiesFor(
  editor: DocumentEditor,
  section: string | number | undefined,
  spot: MarginSpot,
): readonly Story[] {
  const sections = chosenSections(editor, section)
  const isAll = sections.length === pageSectionsOf(editor.manuscript).length
  const found = new Set<Story>()
  const [first] = sections
  if (first) showApart(editor, first, spot)
  for (const own of sections.map(each => currentOf(editor, each))) {
    const shown = shownMargin(editor, own, spot)
    const isShared = !isAll && shown !== undefined && isUsedElsewhere(editor, own, spot, shown)
    const story = shown && !isShared ? shown.story : makeOwn(editor, own, spot, shown?.story)
    if (story) found.add(story)
  }
  return [...found]
}

/** First and even pages get headers and footers of their own where the document does not tell them apart. */
function showApart(editor: DocumentEditor, section: PageSection, spot: MarginSpot): void {
  if (isApart(editor, section, spot.pages)) return
  editor.untracked('another header or footer for some pages')
  editor.change(
    {
      kind: 'structure',
      place: `${spot.pages} pages of ${sectionName(section)}`,
      ...sectionKeys(section),
      before: null,
      after: () => ({ text: `${spot.pages} pages show their own ${spot.kind}` }),
    },
    () => {
      separatePages(editor, section, spot)
      return true
    },
  )
}

function isUsedElsewhere(
  editor: DocumentEditor,
  section: PageSection,
  spot: MarginSpot,
  { story, isOwn }: { readonly story: Story; readonly isOwn: boolean },
): boolean {
  if (!isOwn) return true
  return pageSectionsOf(editor.manuscript).some(
    own => own.id !== section.id && shownMargin(editor, own, spot)?.story === story,
  )
}

/** A part of its own for one section; the section after it goes on to show what it showed. */
function makeOwn(
  editor: DocumentEditor,
  section: PageSection,
  spot: MarginSpot,
  shown: Story | undefined,
): Story | undefined {
  const { kind, pages } = spot
  const what = `the ${pages === 'default' ? '' : `${pages}-page `}${kind} of ${sectionName(section)}`
  const around = sectionKeys(section)
  const keys = [...around.keys] // and what it makes
  let made: Story | undefined
  editor.untracked('a new header or footer')
  editor.change(
    {
      kind: 'structure',
      place: what,
      keys,
      reads: around.reads,
      before: null,
      after: () => ({ text: `a ${kind} of its own` }),
    },
    () => {
      const sections = pageSectionsOf(editor.manuscript)
      const next = sections[section.number]
      if (next && shown && !marginReference(editor.manuscript, next, kind, pages))
        addMargin(editor, next, spot, shown)
      const model = shown ?? shownMargin(editor, section, { kind, pages: 'default' })?.story
      made = addMargin(editor, currentOf(editor, section), spot, model)
      for (const node of made.root.children)
        if (node.name === 'w:p' || node.name === 'w:tbl') editor.adopt(made, node)
      keys.push(made.name, ...made.paragraphs.map(({ id }) => id))
      return true
    },
  )
  return made
}

function currentOf({ manuscript }: DocumentEditor, { id }: PageSection): PageSection {
  return pageSectionsOf(manuscript).find(own => own.id === id)!
}

/** Line by line into the paragraphs that hold text; further lines become paragraphs, lines too few are emptied. */
function setLines(editor: DocumentEditor, story: Story, lines: readonly string[]): void {
  const { ids, anchor } = editor.resolve(`lines of ${story.name}`, () => {
    const holders = story.paragraphs.filter(holdsText)
    const last = holders[Math.min(lines.length, holders.length) - 1] ?? story.paragraphs.at(-1)
    return { ids: holders.map(({ id }) => id), anchor: last?.id }
  })
  for (const [index, id] of ids.entries()) {
    const paragraph = editor.paragraphToEdit(id)
    if (paragraph) changeText(editor, paragraph, lineEdits(paragraph, lines[index] ?? ''))
  }
  if (anchor === undefined) throw invalid(`${story.name} has no paragraph`)
  let last = anchor
  for (const line of lines.slice(ids.length)) last = addLine(editor, story, last, line)
}

function addLine(editor: DocumentEditor, story: Story, after: string, line: string): string {
  const { tree } = story
  const id = editor.newId()
  if (!editor.accepts(placeOf(id))) return after
  const anchor = paragraphById(editor.manuscript, after)
  const node = makeParagraph(tree, modelOf(anchor), line)
  const spot = { node, story, cell: undefined, box: undefined, note: undefined, openFields: [] }
  const done = editor.change(
    {
      kind: 'paragraph',
      place: placeOf(id),
      keys: [id],
      reads: [after],
      before: null,
      after: () => editor.sideOf(spot),
      description: `in ${story.name}`,
    },
    () => {
      story.assign(node, id)
      tree.after(anchor.node, [node])
      if (editor.tracking) trackNewParagraph(tree, node, editor.tracking)
      return true
    },
  )
  return done ? id : after
}
