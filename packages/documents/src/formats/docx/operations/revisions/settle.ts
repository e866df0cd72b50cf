import { counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import type { RevisionVerdict } from '../../edit/settle-revisions.ts'
import { paragraphsAt, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { type Revision, revisionsOf } from '../../view/revisions.ts'
import { movesIn, withWholeMoves } from './moves.ts'
import { isIn, settleAll } from './settle-all.ts'

export function acceptRevisions(editor: DocumentEditor, args: DocumentArgs<'accept_revisions'>) {
  return settle(editor, args, 'accept')
}

export function rejectRevisions(editor: DocumentEditor, args: DocumentArgs<'reject_revisions'>) {
  return settle(editor, args, 'reject')
}

type ChosenRevisions = DocumentArgs<'accept_revisions'>

/** The changes of one paragraph are one change for review, and so are both sides of a move. */
function settle(
  editor: DocumentEditor,
  args: ChosenRevisions,
  verdict: RevisionVerdict,
): OperationResult {
  editor.untracked(`${verdict === 'accept' ? 'accepting' : 'rejecting'} tracked changes`)
  if (args.place === undefined && args.ids === undefined) editor.seesBothForms()
  const chosen = choose(editor, args)
  if (chosen.length === 0 && !editor.isReplay) throw nothing(editor, args)
  let count = 0
  for (const group of groupsOf(editor, chosen))
    if (settleGroup(editor, group, verdict)) count += group.revisions.length
  const done = verdict === 'accept' ? 'Accepted' : 'Rejected'
  return {
    op: editor.op,
    message: `${done} ${counted(count, 'tracked change')}.`,
    count,
  }
}

interface Group {
  readonly keys: Set<string>
  readonly revisions: Revision[]
}

/** By paragraph; paragraphs that a move goes between stand together, for half a move is none. */
function groupsOf({ manuscript }: DocumentEditor, chosen: readonly Revision[]): Iterable<Group> {
  const moves = movesIn(manuscript.stories)
  const groups = new Map<string, Group>()
  for (const revision of chosen) {
    const key = keyOf(revision)
    const names = [...(moves.get(revision.node) ?? [])]
    const same = [key, ...names.map(name => `${revision.story.name} move ${name}`)]
    const [first, ...more] = new Set(same.flatMap(one => groups.get(one) ?? []))
    const group: Group = first ?? { keys: new Set(), revisions: [] }
    for (const own of more) {
      for (const one of own.keys) group.keys.add(one)
      group.revisions.push(...own.revisions)
      for (const [one, held] of groups) if (held === own) groups.set(one, group)
    }
    group.keys.add(key)
    group.revisions.push(revision)
    for (const one of same) groups.set(one, group)
  }
  return new Set(groups.values())
}

/** The paragraph that a change is in; changes of tables and sections go by their story. */
function keyOf({ node, story }: Revision): string {
  const paragraph = node.closest('w:p')
  return (paragraph && story.idOf(paragraph)) ?? story.name
}

function settleGroup(
  editor: DocumentEditor,
  { keys, revisions }: Group,
  verdict: RevisionVerdict,
): boolean {
  const { story } = revisions[0]!
  const paragraph = [...keys].find(key => story.paragraph(key) !== undefined)
  const side = () => {
    const now = [...keys].flatMap(key => story.paragraph(key) ?? [])
    if (now.length === 0) return null
    return { text: now.map(own => editor.sideOf(own).text).join('\n') }
  }
  return editor.change(
    {
      kind: paragraph === undefined ? 'structure' : 'paragraph',
      place: paragraph === undefined ? `${story.name} structure` : placeOf(paragraph),
      keys: [...keys],
      before: side(),
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

function choose(
  editor: DocumentEditor,
  { author, ids = [], place }: ChosenRevisions,
): readonly Revision[] {
  const wanted = new Set(ids.map(String))
  const within =
    place === undefined
      ? undefined
      : new Set<LiveNode>(paragraphsAt(editor.manuscript, place).map(({ node }) => node))
  const isChosen = ({ node, ...revision }: Revision) => {
    if (author !== undefined && revision.author !== author) return false
    if (wanted.size > 0 && !wanted.has(revision.id)) return false
    const paragraph = node.closest('w:p')
    return !within || (paragraph !== undefined && within.has(paragraph))
  }
  const spots = editor.resolve('marks', () => {
    const known = all(editor)
    const moves = movesIn(editor.manuscript.stories)
    const whole = new Set(withWholeMoves(known.filter(isChosen), known, moves))
    return spotsOf(known).flatMap(({ revision, spot }) => (whole.has(revision) ? [spot] : []))
  })
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

function nothing(editor: DocumentEditor, { author, ids, place }: ChosenRevisions): Refusal {
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
