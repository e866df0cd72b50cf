import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { alignText } from '../../../../runs/align-text.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { findRemovalProblem } from '../../edit/remove-paragraph.ts'
import { whyNotEditable } from '../../edit/text-matches.ts'
import { trackInserted, trackProperties } from '../../edit/tracked-paragraph.ts'
import { markRow } from '../../edit/tracked-row.ts'
import { trackText } from '../../edit/tracked-text.ts'
import { trackingFor } from '../../edit/tracking.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { paragraphById, placeOf, tableById } from '../../story/places.ts'
import { revisionMarks } from '../../story/revision-ids.ts'
import type { Paragraph, Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { orderNotesIn } from '../notes/note-order.ts'
import { deleteOne } from '../text/delete-paragraph.ts'
import { BlockCopier } from './block-copier.ts'
import { type CompareStep, planBlocks } from './compare-plan.ts'
import { textOf } from './copy-blocks.ts'
import { picturesIn } from './picture-bytes.ts'
import { sourceDocument } from './source-document.ts'

const TEXT = /^w:(?:ins|del|moveFrom|moveTo|cellIns|cellDel)$/ // looks that were changed read the same

/** What leads from this document to another, as tracked changes: each is a change of its own. */
export function compareWith(
  editor: DocumentEditor,
  { from, author }: DocumentArgs<'compare_with'>,
) {
  const { manuscript } = editor
  const source = sourceDocument(editor, from)
  track(editor, author)
  const plan = editor.resolve('plan', () => {
    refuseTracked(manuscript)
    return planAll(manuscript, source)
  })
  const run = new Comparison(editor, source)
  for (const [story, steps] of Object.entries(plan)) for (const step of steps) run.take(story, step)
  run.finish()
  const { edited, inserted, deleted } = run
  const isSame = Object.values(plan).every(steps => steps.length === 0)
  return {
    op: 'compare_with',
    message: isSame
      ? `The text of ${from} is the same; nothing was changed.`
      : `Compared with ${from}: ${counted(edited, 'paragraph')} changed, ${inserted} inserted, ${deleted} deleted, as tracked changes.`,
    changed: edited,
    inserted,
    deleted,
  }
}

/** The differences are tracked changes even where nothing else is. */
function track(editor: DocumentEditor, author: string | undefined): void {
  if (editor.tracking) return
  const asked = author ? { author } : true
  editor.beTracked(
    trackingFor(
      editor.manuscript,
      { isTracking: true, protection: undefined },
      {
        operation: { op: 'compare_with', track: asked },
        circumstances: editor.circumstances,
      },
      what => editor.untracked(what),
    ),
  )
}

function refuseTracked({ stories }: Manuscript): void {
  const isTracked = stories.some(({ root }) =>
    [...revisionMarks(root)].some(({ name }) => TEXT.test(name)),
  )
  if (isTracked)
    throw new Refusal(
      'CONFLICT',
      'the document has tracked changes of its own, which could not be told from the differences; accept or reject them first (accept_revisions, reject_revisions)',
    )
}

/** By story: headers, footers and notes are compared where both documents have them under one name. */
function planAll(here: Manuscript, there: Manuscript): Record<string, readonly CompareStep[]> {
  const plan: Record<string, readonly CompareStep[]> = {}
  for (const story of here.stories) {
    const other = there.story(story.name)
    if (!other || story.name === 'comments') continue
    plan[story.name] =
      story.name === 'body'
        ? planBlocks({ manuscript: here, story }, { manuscript: there, story: other })
        : planSame(story, other)
  }
  return plan
}

/** Paragraph by paragraph: notes and headers neither come nor go. */
function planSame(here: Story, there: Story): readonly CompareStep[] {
  const texts = (story: Story) => story.paragraphs.map(own => textMapOf(story.pieces(own)).text)
  const [mine, theirs] = [texts(here), texts(there)]
  if (mine.length !== theirs.length) return []
  return mine.flatMap((text, at) =>
    text === theirs[at] ? [] : [{ step: 'edit' as const, id: here.paragraphs[at]!.id, other: at }],
  )
}

class Comparison {
  edited = 0
  inserted = 0
  deleted = 0
  readonly #editor: DocumentEditor
  readonly #source: Manuscript
  readonly #copier: BlockCopier
  /** The last block that was put beside an anchor. */
  readonly #last = new Map<string, LiveNode>()
  readonly #left: string[] = []

  constructor(editor: DocumentEditor, source: Manuscript) {
    this.#editor = editor
    this.#source = source
    this.#copier = new BlockCopier(editor, source, { isVersion: true })
  }

  take(name: string, step: CompareStep): void {
    const there = this.#source.story(name)!
    if (step.step === 'delete') this.#delete(step.id)
    else if (step.step === 'insert') this.#insert(there, step)
    else this.#edit(there, step)
  }

  finish(): void {
    if (this.#editor.isReplay) return
    for (const what of this.#copier.left) this.#editor.warn(`${what}.`)
    if (this.#left.length > 0)
      this.#editor.warn(
        `These differ and were left as they are: ${this.#left.slice(0, 10).join('; ')}.`,
      )
  }

  #delete(id: string): void {
    const table = tableById(this.#editor.manuscript, id)
    if (table) return this.#deleteTable(id, table.node, table.story)
    const paragraph = paragraphById(this.#editor.manuscript, id)
    const problem = findRemovalProblem(paragraph)
    if (problem !== undefined) this.#left.push(`${id}: ${problem}`)
    else if (deleteOne(this.#editor, paragraph)) this.deleted++
  }

  #deleteTable(id: string, node: LiveNode, story: Story): void {
    const done = this.#editor.change(
      {
        kind: 'structure',
        place: placeOf(id),
        keys: [id],
        before: { text: textOf(this.#editor.manuscript, story, node) },
        after: () => null,
      },
      () => {
        for (const row of node.children.filter(({ name }) => name === 'w:tr'))
          markRow(story.tree, row, 'w:del', this.#editor.tracking!)
        return true
      },
    )
    if (done) this.deleted++
  }

  #insert(there: Story, step: Extract<CompareStep, { step: 'insert' }>): void {
    const { manuscript, tracking } = this.#editor
    const { anchor, side, other } = step
    const { node: beside, story } =
      tableById(manuscript, anchor) ?? paragraphById(manuscript, anchor)
    const isTable = other.kind === 'table'
    const node = (isTable ? there.tables : there.paragraphs)[other.at]!.node
    const id = this.#editor.newId()
    const done = this.#editor.change(
      {
        kind: isTable ? 'structure' : 'paragraph',
        place: isTable ? `new table ${id}` : placeOf(id),
        keys: [id],
        reads: [anchor],
        before: null,
        after: () => ({ text: textOf(this.#source, there, node) }),
        description: `${side} ${anchor}`,
      },
      () => {
        const made = this.#copier.copy(there, node, story)
        story.assign(made, id)
        this.#editor.adopt(story, made)
        this.#put(story, `${side} ${anchor}`, made, { beside, side })
        orderNotesIn(manuscript, made)
        if (!isTable) trackInserted(story.tree, made, tracking!)
        else
          for (const row of made.children.filter(({ name }) => name === 'w:tr'))
            markRow(story.tree, row, 'w:ins', tracking!)
        return true
      },
    )
    if (done) this.inserted++
  }

  /** Two tables beside each other would become one: a paragraph stands between them. */
  #put(
    story: Story,
    key: string,
    made: LiveNode,
    { beside, side }: { readonly beside: LiveNode; readonly side: 'after' | 'before' },
  ): void {
    const { tree } = story
    const last = this.#last.get(key)
    const before = last ?? (side === 'after' ? beside : undefined)
    const isTables = made.name === 'w:tbl' && before?.name === 'w:tbl'
    const nodes = isTables ? [...tree.fragment('<w:p/>'), made] : [made]
    if (before) tree.after(before, nodes)
    else tree.before(beside, nodes)
    if (isTables) {
      this.#editor.adopt(story, nodes[0]!)
      trackInserted(tree, nodes[0]!, this.#editor.tracking!)
    }
    this.#last.set(key, made)
  }

  #edit(there: Story, { id, other }: Extract<CompareStep, { step: 'edit' }>): void {
    const paragraph = paragraphById(this.#editor.manuscript, id)
    const twin = there.paragraphs[other]!
    const map = textMapOf(paragraph.story.pieces(paragraph))
    const theirs = textMapOf(there.pieces(twin))
    const labels = ({ spans }: typeof map) =>
      spans.flatMap(({ piece }) => (piece.kind === 'token' ? [piece.label] : []))
    const edits = alignText(map.text, theirs.text)
    const isSafe =
      labels(map).join('\n') === labels(theirs).join('\n') &&
      picturesIn(this.#editor.manuscript, paragraph.story, paragraph.node) ===
        picturesIn(this.#source, there, twin.node) &&
      edits.every(({ text }) => !text.includes('\ufffc')) &&
      edits.every(edit => !map.text.slice(edit.start, edit.end).includes('\ufffc')) &&
      edits.every(edit => whyNotEditable(this.#editor, paragraph, map, edit) === undefined)
    if (!isSafe) return this.#replace(there, paragraph, other)
    const { story } = paragraph
    const style = there.styleIdOf(twin.node)
    const done = this.#editor.editParagraph(paragraph, spot => {
      if (spot.node !== paragraph.node && textMapOf(story.pieces(spot)).text !== map.text)
        return false
      trackText(story, spot, edits, this.#editor.tracking!)
      this.#restyle(story, spot.node, style)
      return true
    })
    if (done) this.edited++
  }

  #restyle(story: Story, node: LiveNode, there: string | undefined): void {
    const here = there === undefined ? undefined : this.#copier.styles.idOf(there)
    if (story.styleIdOf(node) === here) return
    trackProperties(story.tree, node, this.#editor.tracking!)
    const properties = ensureProperties(story.tree, node)
    if (here === undefined) removeProperty(story.tree, properties, 'w:pStyle')
    else {
      setProperty(story.tree, properties, '<w:pStyle/>')
      story.tree.setAttribute(properties.child('w:pStyle')!, 'w:val', here)
    }
  }

  /** A paragraph with other notes, pictures or fields goes, and theirs comes. */
  #replace(there: Story, paragraph: Paragraph, other: number): void {
    const { id } = paragraph
    if (findRemovalProblem(paragraph) !== undefined || paragraph.story.name !== 'body') {
      this.#left.push(`${id}: it holds fields, notes or pictures that differ`)
      return
    }
    this.#insert(there, {
      step: 'insert',
      anchor: id,
      side: 'before',
      other: { kind: 'paragraph', at: other },
    })
    this.#delete(id)
  }
}
