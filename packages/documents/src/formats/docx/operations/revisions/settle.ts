import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import type { RevisionVerdict } from '../../edit/settle-revisions.ts'
import { paragraphsAt, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { type Revision, revisionsOf } from '../../view/revisions.ts'
import { isIn, settleAll } from './settle-all.ts'

export function acceptRevisions(editor: DocumentEditor, operation: Fields): OperationResult {
  return settle(editor, operation, 'accept')
}

export function rejectRevisions(editor: DocumentEditor, operation: Fields): OperationResult {
  return settle(editor, operation, 'reject')
}

/** The changes of one paragraph are one change for review. */
function settle(
  editor: DocumentEditor,
  operation: Fields,
  verdict: RevisionVerdict,
): OperationResult {
  editor.untracked(`${verdict === 'accept' ? 'accepting' : 'rejecting'} tracked changes`)
  if (operation.place === undefined && operation.ids === undefined) editor.seesBothForms()
  const chosen = choose(editor, operation)
  if (chosen.length === 0 && !editor.isReplay) throw nothing(editor, operation)
  const groups = new Map<string, Revision[]>()
  for (const revision of chosen) {
    const key = keyOf(revision)
    groups.set(key, [...(groups.get(key) ?? []), revision])
  }
  let count = 0
  for (const [key, revisions] of groups)
    if (settleGroup(editor, key, revisions, verdict)) count += revisions.length
  const done = verdict === 'accept' ? 'Accepted' : 'Rejected'
  return {
    op: String(operation.op),
    message: `${done} ${counted(count, 'tracked change')}.`,
    count,
  }
}

/** The paragraph that a change is in; changes of tables and sections go by their story. */
function keyOf({ node, story }: Revision): string {
  const paragraph = node.closest('w:p')
  return (paragraph && story.idOf(paragraph)) ?? story.name
}

function settleGroup(
  editor: DocumentEditor,
  key: string,
  revisions: readonly Revision[],
  verdict: RevisionVerdict,
): boolean {
  const { story } = revisions[0]!
  const paragraph = story.paragraph(key)
  const isParagraph = paragraph !== undefined
  const place = isParagraph ? placeOf(key) : `${story.name} structure`
  const side = () => {
    const now = story.paragraph(key)
    return now ? editor.sideOf(now) : null
  }
  const before = isParagraph ? editor.sideOf(paragraph) : null
  return editor.change(
    {
      kind: isParagraph ? 'paragraph' : 'structure',
      place,
      keys: [key],
      before,
      after: side,
      description: `${verdict === 'accept' ? 'accepts' : 'rejects'} ${counted(revisions.length, 'tracked change')}`,
    },
    () => {
      // those of the older form of a text box may have followed the newer one already
      const marks = revisions.flatMap(({ node }) => (isIn(story.root, node) ? [node] : []))
      if (marks.length === 0) return false
      settleAll(editor, story, marks, verdict)
      return true
    },
  )
}

function choose(editor: DocumentEditor, { author, ids, place }: Fields): readonly Revision[] {
  const wanted = new Set((Array.isArray(ids) ? ids : ids === undefined ? [] : [ids]).map(String))
  if (author !== undefined && typeof author !== 'string') throw invalid('author is a name')
  const within =
    place === undefined
      ? undefined
      : new Set<LiveNode>(paragraphsAt(editor.manuscript, place).map(({ node }) => node))
  const spots = editor.resolve('marks', () =>
    spotsOf(all(editor)).flatMap(({ revision, spot }) => {
      if (author !== undefined && revision.author !== author) return []
      if (wanted.size > 0 && !wanted.has(revision.id)) return []
      const paragraph = revision.node.closest('w:p')
      if (within && !(paragraph && within.has(paragraph))) return []
      return [spot]
    }),
  )
  const chosen = new Set(spots.map(nameOf))
  return spotsOf(all(editor)).flatMap(({ revision, spot }) =>
    chosen.has(nameOf(spot)) ? [revision] : [],
  )
}

/** A tracked change by where it stands. Its own id will not do: that of a new one counts those that came before. JSON only. */
interface RevisionSpot {
  /** The paragraph; of a row or a cell its first one. */
  readonly at: string
  readonly name: string
  /** Among those of this name there. */
  readonly number: number
}

function spotsOf(
  revisions: readonly Revision[],
): readonly { readonly revision: Revision; readonly spot: RevisionSpot }[] {
  const counts = new Map<string, number>()
  return revisions.map(revision => {
    const at = holderOf(revision)
    const { name } = revision.node
    const number = counts.get(`${at} ${name}`) ?? 0
    counts.set(`${at} ${name}`, number + 1)
    return { revision, spot: { at, name, number } }
  })
}

function holderOf({ node, story }: Revision): string {
  for (let at = node.closest('w:p'); at; at = at.closest('w:p')) {
    const id = story.idOf(at)
    if (id !== undefined) return id
  }
  const around = node.closest('w:tc') ?? node.closest('w:tr') ?? node.closest('w:tbl')
  const first = around?.all('w:p').next().value
  return (first && story.idOf(first)) ?? story.name
}

function nameOf({ at, name, number }: RevisionSpot): string {
  return `${at} ${name} ${number}`
}

function all(editor: DocumentEditor): readonly Revision[] {
  return editor.manuscript.stories.flatMap((story: Story) => revisionsOf(story))
}

function nothing(editor: DocumentEditor, { author, ids, place }: Fields): Refusal {
  const revisions = all(editor)
  if (revisions.length === 0)
    return new Refusal('NO_SUCH_REGION', 'the document has no tracked changes')
  const authors = [...new Set(revisions.map(own => own.author))].slice(0, 20).join(', ')
  const asked = author ?? ids ?? place
  return new Refusal(
    'NO_SUCH_REGION',
    `no tracked change matches ${JSON.stringify(asked)}; there are ${revisions.length}, by ${authors}`,
  )
}
