import { showChanges, showConsequences } from '@filewright/host'
import { counted, type DraftSummary, type Review, visible } from '@filewright/protocol'

const PAGE_CHANGES = 100
const PAGE_BYTES = 40 * 1024 // below the bound of one result, with the lines around it

/** The draft as a person would read it, a page at a time. */
export function toReviewText(review: Review, after: number): string {
  const { draft, changes, warnings, conflicts = [], consequences = [], executed = [] } = review
  const total = changes.length
  const { text, shown } = pageOf(review, after)
  const next = after + shown
  return [
    `The draft ${draft.id} is ${draft.state}, at revision ${draft.revision}: ${summaryOf(draft)}.`,
    ...(shown < total ? [`Changes ${after + 1} to ${next} of ${total}:`] : []),
    text,
    ...(consequences.length > 0 && after === 0 ? [showConsequences(consequences)] : []),
    ...conflicts.slice(0, MOST_TOLD).map(({ message }) => `Conflict: ${message}`),
    ...executed.slice(0, MOST_TOLD).map(({ why }) => `A person decides by name: ${why}`),
    ...warnings.slice(0, MOST_TOLD).map(warning => `Warning: ${warning}`),
    ...(next < total
      ? [`The next page: review_draft {"draft_id": "${draft.id}", "after": ${next}}`]
      : []),
  ].join('\n')
}

const MOST_TOLD = 20
const MOST_FILES = 12

/** "2 files: a.csv (changed, 3 changes), b.xlsx (created, 1 change)" */
export function summaryOf({ files }: DraftSummary): string {
  const told = files
    .slice(0, MOST_FILES)
    .map(
      ({ path, action, changes }) => `${visible(path)} (${action}, ${counted(changes, 'change')})`,
    )
  const more = files.length > MOST_FILES ? ', …' : ''
  return files.length === 0
    ? 'no change'
    : `${counted(files.length, 'file')}: ${told.join(', ')}${more}`
}

/** As many changes as fit, with diffs where they fit too. */
function pageOf({ changes, diffs }: Review, after: number) {
  for (let count = PAGE_CHANGES; ; count = Math.floor(count / 2)) {
    const page = changes.slice(after, after + Math.max(1, count))
    const paths = new Set<string>(page.map(({ path }) => path))
    const isWhole = page.length === changes.length
    for (const shownDiffs of isWhole ? [diffs, []] : [[]]) {
      const text = showChanges(
        page,
        shownDiffs.filter(({ path }) => paths.has(path)),
      )
      if (Buffer.byteLength(text) <= PAGE_BYTES) return { text, shown: page.length }
      if (count <= 1 && shownDiffs.length === 0)
        return {
          text: `${text.slice(0, PAGE_BYTES / 4)}\n… this change is longer`,
          shown: page.length,
        }
    }
  }
}
