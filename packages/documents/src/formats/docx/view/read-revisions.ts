import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { LiveNode } from '../../../opc/index.ts'
import type { Manuscript } from '../story/manuscript.ts'
import type { Story } from '../story/story.ts'
import { type Revision, revisionsOf } from './revisions.ts'

const MOST_TEXT = 200 // characters of one change

/** `revisions` asks for all, `revisions 101` for those from the 101st on; undefined for another section. */
export function firstRevision(section: string | undefined): number | undefined {
  const parts = /^\s*revisions(?:\s+(\d{1,6}))?\s*$/i.exec(section ?? '')
  return parts ? Number(parts[1] ?? 1) : undefined
}

/** Lists tracked changes in document order, as many as fit. */
export function readRevisions(
  manuscript: Manuscript,
  from: number,
  { maxBytes }: ReadOptions,
): Result<Reading> {
  const all = manuscript.stories.flatMap(story => revisionsOf(story))
  if (from < 1 || (from > all.length && from > 1))
    return fail(
      'NO_SUCH_REGION',
      `Cannot read the document: there is no tracked change ${from}; the last is ${all.length}.`,
    )
  const entries = []
  let bytes = 0
  for (const revision of all.slice(from - 1)) {
    const entry = entryOf(revision)
    bytes += Buffer.byteLength(showEntry(entry)) + 1
    if (entries.length > 0 && bytes > maxBytes) break
    entries.push(entry)
  }
  const next = from + entries.length
  return ok({
    text: entries.map(showEntry).join('\n'),
    fields: { revisionCount: all.length, revisions: entries },
    shown: `${entries.length} tracked changes`,
    total: `${all.length} tracked changes`,
    ...(next <= all.length && { next: { section: `revisions ${next}` } }),
  })
}

type Entry = ReturnType<typeof entryOf>

function entryOf({ id, kind, author, date, node, story }: Revision) {
  let text = ''
  for (const name of ['w:t', 'w:delText'])
    for (const own of node.all(name)) if (text.length < MOST_TEXT) text += story.tree.textOf(own)
  return {
    id,
    kind: node.parent?.name === 'w:trPr' && !kind.startsWith('row') ? `row ${kind}` : kind,
    author,
    ...(date !== '' && { date: date.slice(0, 10) }),
    place: placeOf(node, story),
    ...(text !== '' && { text: text.slice(0, MOST_TEXT) }),
  }
}

/** Its paragraph, else its table with the row, else its story. */
function placeOf(node: LiveNode, story: Story): string {
  const paragraph = node.closest('w:p')
  if (paragraph) return story.idOf(paragraph) ?? story.name
  const table = node.closest('w:tbl')
  const row = node.closest('w:tr')
  const id = table && story.idOf(table)
  if (!table || !row || id === undefined) return id ?? story.name
  return row.closest('w:tbl') === table ? `${id}, row ${rowsOf(table).indexOf(row) + 1}` : id
}

function rowsOf(table: LiveNode): readonly LiveNode[] {
  return [...table.all('w:tr')].filter(row => row.closest('w:tbl') === table)
}

function showEntry({ id, kind, author, date, place, text }: Entry): string {
  return `revision ${id}: ${author}${date === undefined ? '' : `, ${date}`}, ${kind} at ${place}${text === undefined ? '' : `: ${JSON.stringify(text)}`}`
}
