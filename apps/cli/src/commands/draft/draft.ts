import {
  Exit,
  type FolderOptions,
  type Host,
  inFolder,
  note,
  showChanges,
  showConsequences,
  unwrapOrExit,
  type Work,
} from '@filewright/host'
import {
  type Applied,
  type Change,
  counted,
  type DraftSummary,
  EXIT_CODES,
  type Published,
  type Result,
  type Review,
  toVersion,
  visible,
} from '@filewright/protocol'
import { pick } from '../../input/pick.ts'
import { askLine, askYesNo, canAsk } from '../../input/prompt.ts'
import { executedIn, unwrapNamed } from '../../output/executed.ts'
import { answer, answerJson } from '../../output/output.ts'
import { showConflicts } from '../../output/show-conflicts.ts'

interface DraftOptions extends FolderOptions {
  readonly draft?: string
  /** The same, as an argument. */
  readonly draftId?: string
  readonly json?: boolean
}

interface TakeBackOptions extends DraftOptions {
  readonly name?: readonly string[]
}

interface PublishOptions extends DraftOptions {
  readonly yes?: boolean
  readonly only?: readonly string[]
  readonly refuse?: readonly string[]
}

export function listDrafts(options: DraftOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const drafts = unwrapOrExit(await connection.call('listDrafts', { params }))
    if (options.json) return answerJson(drafts)
    if (drafts.length === 0) note('There are no drafts.')
    for (const { id, trouble } of drafts) if (trouble) note(`Warning: ${id}: ${trouble}`)
    for (const draft of drafts)
      answer(`${draft.id}  ${draft.state}  ${draft.touched}  ${describeFiles(draft)}`)
  })
}

export function review(
  options: DraftOptions & { readonly stat?: boolean },
  host: Host,
): Promise<void> {
  const draftId = whichDraft(options)
  return host.inWorkspace(options, async ({ connection, params }) => {
    const found = unwrapOrExit(await connection.call('review', { params, query: { draftId } }))
    if (options.json) return answerJson(found)
    answer(`${found.draft.id}  ${found.draft.state}  ${describeFiles(found.draft)}`)
    if (options.stat) return answer(countByFile(found.changes))
    if (found.changes.length > 0) answer(showChanges(found.changes, found.diffs))
    if (found.consequences) answer(showConsequences(found.consequences))
    for (const warning of found.warnings) note(`Warning: ${warning}`)
    for (const file of found.draft.files)
      if (file.drifted) note(`Note: ${whereOf(file)} changed on disk since the draft began.`)
    showConflicts(found.conflicts ?? [])
    if (found.conflicts?.length)
      note(
        'Decide with: filewright draft resolve CHANGE_ID… --theirs (the disk) or --ours (the draft)',
      )
  })
}

/** How many changes of which kind each file has. */
function countByFile(changes: readonly Change[]): string {
  return [...new Set(changes.map(({ path }) => path))]
    .map(path => {
      const own = changes.filter(change => change.path === path)
      const kinds = [...new Set(own.map(({ kind }) => kind))]
      const parts = kinds.map(kind => `${own.filter(each => each.kind === kind).length} ${kind}`)
      return `  ${path}: ${counted(own.length, 'change')} (${parts.join(', ')})`
    })
    .join('\n')
}

function whereOf({ path, action, from }: DraftSummary['files'][number]): string {
  return action === 'moved' ? `${path}, or its original path ${from},` : path
}

export function discard(options: DraftOptions, host: Host): Promise<void> {
  const draftId = whichDraft(options)
  return host.inWorkspace(options, async ({ connection, params }) => {
    const draft = unwrapOrExit(await connection.call('discard', { params, body: { draftId } }))
    answer(`Discarded ${draft.id}.`)
  })
}

export function publish(options: PublishOptions, host: Host): Promise<void> {
  const draftId = whichDraft(options)
  return host.inWorkspace(options, async work => {
    const { connection, params, config } = work
    const asked = options.yes ? undefined : await askToPublish(work, draftId, options)
    const body = {
      draftId: asked?.review.draft.id ?? draftId,
      only: asked?.only ?? options.only,
      refused: asked?.refused ?? options.refuse,
      revision: asked?.review.draft.revision,
      by: config.userName,
    }
    const first = await connection.call('publish', { params, body })
    const published = asked && canAsk() ? await nameExecuted(work, body, first) : unwrapNamed(first)
    if (published.executed) process.exitCode = EXIT_CODES.waiting
    if (options.json) return answerJson(published)
    answer(published.message)
    for (const path of published.rebased)
      note(`${path} had changed on disk; the changes were mapped onto it.`)
    for (const id of published.dropped)
      note(`${id} was dropped too: it depends on a change that was refused.`)
    for (const warning of published.warnings)
      if (!asked?.review.warnings.includes(warning)) note(`Warning: ${warning}`)
  })
}

/** Asks about each file that has to be named, and publishes those that the person names too. */
async function nameExecuted(
  { connection, params }: Work,
  body: { readonly draftId?: string; readonly by: string },
  first: Result<Published>,
): Promise<Published> {
  const waiting = first.ok ? (first.value.executed ?? []) : executedIn(first.failure)
  const named: string[] = []
  for (const { path, why, changeIds } of waiting) {
    note(visible(why))
    if (changeIds.length === 0) continue
    if (await askYesNo(`Write ${path} all the same?`)) named.push(...changeIds)
  }
  if (named.length === 0) return unwrapNamed(first)
  if (first.ok) answer(first.value.message)
  const { draftId, by } = body
  const second = {
    draftId: first.ok ? first.value.draftId : draftId,
    only: [...new Set(named)],
    by,
  }
  return unwrapOrExit(await connection.call('publish', { params, body: second }))
}

/** What the person said yes to. */
interface Agreed {
  readonly review: Review
  /** Where the person went through the changes. */
  readonly only?: string[]
  readonly refused?: string[]
}

async function askToPublish(
  work: Work,
  draftId: string | undefined,
  { only, refuse }: PublishOptions,
): Promise<Agreed> {
  const { connection, params } = work
  const review = unwrapOrExit(await connection.call('review', { params, query: { draftId } }))
  const { diffs, draft, warnings } = review
  const isChosen = ({ id }: Change) => (only?.includes(id) ?? true) && !refuse?.includes(id)
  const changes = review.changes.filter(isChosen)
  for (const warning of warnings) note(`Warning: ${warning}`)
  if (changes.length === 0) return { review } // publishing says so
  if (!canAsk()) {
    const which = `--draft ${draft.id} ${inFolder(work)}`
    throw new Exit(
      EXIT_CODES.waiting,
      `the draft ${draft.id} waits for a person: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}"`,
    )
  }
  note(showChanges(changes, changes.length === review.changes.length ? diffs : []))
  if (review.consequences && changes.length === review.changes.length)
    note(showConsequences(review.consequences))
  const count = counted(changes.length, 'change')
  const canPick = changes.length > 1
  const word = await askLine(`Write ${count}? [y]es, [N]o${canPick ? ', [p]ick' : ''}: `)
  if (/^y(es)?$/i.test(word)) return { review }
  const picked =
    canPick && /^p(ick)?$/i.test(word) ? await pick(changes, { canLeave: true }) : undefined
  if (!picked || picked.accepted.length + picked.refused.length === 0)
    throw new Exit(EXIT_CODES.denied, 'nothing was written')
  const { accepted, refused, left } = picked
  const isPartial = left.length > 0 || only !== undefined
  return {
    review,
    ...(isPartial && { only: [...accepted] }),
    ...(refused.length > 0 && { refused: [...(refuse ?? []), ...refused] }),
  }
}

/** A file that other programs execute is written when the person names it, here or with `--name`. */
async function naming<Value>(
  given: readonly string[] | undefined,
  act: (named: string[] | undefined) => Promise<Result<Value>>,
): Promise<Value> {
  const first = await act(given && [...given])
  const waiting = first.ok ? [] : executedIn(first.failure)
  if (waiting.length === 0 || !canAsk()) return unwrapNamed(first)
  for (const { path, why } of waiting) {
    note(visible(why))
    if (!(await askYesNo(`Write ${path} all the same?`)))
      throw new Exit(EXIT_CODES.denied, 'nothing was written')
  }
  return unwrapOrExit(await act([...(given ?? []), ...waiting.map(({ path }) => path)]))
}

export function takeBack(
  verb: 'undo' | 'redo',
  { changeSetId, ...options }: TakeBackOptions & { readonly changeSetId?: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const applied = await naming(options.name, named =>
      connection.call(verb, { params, body: { changeSetId, draftId: options.draft, named } }),
    )
    showApplied(verb === 'undo' ? 'Undone' : 'Redone', applied, options)
  })
}

export function restore(
  { id, ...options }: TakeBackOptions & { readonly id: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const applied = await naming(options.name, named =>
      connection.call('restore', { params, body: { id, named } }),
    )
    showApplied('Restored', applied, options)
  })
}

function showApplied(done: string, applied: Applied, { json }: DraftOptions): void {
  if (json) return answerJson(applied)
  const files = applied.files.map(
    ({ path, after }) => `${path} ${after ? `is version ${toVersion(after)}` : 'is gone'}`,
  )
  answer(`${done}: ${files.join(', ')}.`)
  for (const warning of applied.warnings) note(`Warning: ${warning}`)
}

function describeFiles({ files, state }: DraftSummary): string {
  if (files.length === 0 && state !== 'damaged') return 'no change'
  return files
    .map(file => `${visible(file.path)} (${file.action}, ${counted(file.changes, 'change')})`)
    .join(', ')
}

function whichDraft({ draftId, draft }: DraftOptions): string | undefined {
  if (draftId === undefined || draftId === draft) return draft
  if (draft === undefined) return draftId
  throw new Exit(EXIT_CODES.invalid, `name one draft, not both ${draftId} and ${draft}`)
}
