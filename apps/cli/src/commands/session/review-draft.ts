import { findRunDraft, unwrapOrExit, type Work } from '@filewright/host'
import { counted, type Review, visible } from '@filewright/protocol'
import { executedIn } from '../../output/executed.ts'
import type { Console } from '../../terminal/console.ts'
import { showChange, showChanges } from './diff-view.ts'

/** The changes in the draft of a session; undefined if there are none. */
export async function reviewOf(work: Work, sessionId: string): Promise<Review | undefined> {
  const draft = unwrapOrExit(await findRunDraft(work, sessionId))
  if (!draft) return undefined
  const { connection, params } = work
  const review = unwrapOrExit(
    await connection.call('review', { params, query: { draftId: draft.id } }),
  )
  return review.changes.length > 0 ? review : undefined
}

export function showReview(
  { changes, consequences = [], warnings, conflicts = [] }: Review,
  console: Console,
): void {
  console.say(showChanges(changes, console))
  if (consequences.length > 0)
    console.say(console.colours.dim(`and ${counted(consequences.length, 'result')} that follow`))
  for (const warning of warnings)
    console.say(console.colours.yellow(`Warning: ${visible(warning)}`))
  if (conflicts.length > 0)
    console.say(
      console.colours.yellow(
        `${counted(conflicts.length, 'change')} meet what somebody else saved: "filewright draft resolve" decides.`,
      ),
    )
}

/** What is in the draft now, of this run and of earlier ones. */
export function summarize({ changes }: Review): string[] {
  const byPath = new Map<string, number>()
  for (const { path } of changes) byPath.set(path, (byPath.get(path) ?? 0) + 1)
  const files = [...byPath].map(([path, count]) => `${visible(path)} ${counted(count, 'change')}`)
  return [`To review: ${files.join(', ')}`]
}

interface Picked {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  readonly left: readonly string[]
}

/** Goes through the changes one by one; undefined if the person stops. */
async function pick({ changes }: Review, console: Console): Promise<Picked | undefined> {
  const picked = { accepted: [] as string[], refused: [] as string[], left: [] as string[] }
  for (const [index, change] of changes.entries()) {
    console.say(showChange(change, console.colours))
    const verdict = await askVerdict(console, `${index + 1} of ${changes.length}`)
    if (verdict === 'stop') return undefined
    if (verdict === 'rest') {
      picked.accepted.push(...changes.slice(index).map(({ id }) => id))
      break
    }
    picked[verdict].push(change.id)
  }
  return picked
}

/** What was not understood decides nothing: it is asked again. */
async function askVerdict(
  console: Console,
  which: string,
): Promise<keyof Picked | 'rest' | 'stop'> {
  for (;;) {
    const given = await console.ask(
      `${which}: a accept, r refuse, l leave, A accept all the rest, q stop:`,
    )
    const word = given?.trim() ?? 'q'
    if (word === 'A') return 'rest'
    if (/^q(uit)?$/i.test(word)) return 'stop'
    if (/^a(ccept)?$|^y(es)?$/i.test(word)) return 'accepted'
    if (/^r(efuse)?$|^n(o)?$/i.test(word)) return 'refused'
    if (/^l(eave)?$/i.test(word)) return 'left'
    console.say('Please answer with a, r, l, A or q.')
  }
}

/** Publishes what a person accepts; the answer says what was done. */
export async function publishPicked(
  work: Work,
  console: Console,
  review: Review,
  { isAll }: { readonly isAll: boolean },
): Promise<string | undefined> {
  const ids = review.changes.map(({ id }) => id)
  const picked = isAll ? { accepted: ids, refused: [], left: [] } : await pick(review, console)
  if (!picked) return undefined
  const { accepted, refused, left } = picked
  if (accepted.length + refused.length === 0)
    return 'Nothing was decided: the draft stays as it is.'
  const others = [
    ...(refused.length > 0 ? [`refuse ${refused.length}`] : []),
    ...(left.length > 0 ? [`leave ${left.length}`] : []),
  ]
  const question = `${[`Publish ${counted(accepted.length, 'change')}`, ...others].join(', ')}? y yes, n no:`
  if (!/^y(es)?$/i.test((await console.ask(question))?.trim() ?? '')) return undefined
  const { connection, params, config } = work
  const body = {
    draftId: review.draft.id,
    revision: review.draft.revision,
    by: config.userName,
    ...(left.length > 0 && { only: [...accepted] }),
    ...(refused.length > 0 && { refused: [...refused] }),
  }
  const published = await connection.call('publish', { params, body })
  if (!published.ok) {
    const named = executedIn(published.failure).map(({ path }) => visible(path))
    return visible(
      `${published.failure.message}${named.length > 0 ? ` (${named.join(', ')})` : ''}`,
    )
  }
  for (const warning of published.value.warnings)
    console.say(console.colours.yellow(`Warning: ${visible(warning)}`))
  const { message, undecided } = published.value
  const rest = undecided > 0 ? ` ${counted(undecided, 'change')} stay in the draft.` : ''
  return visible(`${message}${message.includes('stay') ? '' : rest}`)
}
