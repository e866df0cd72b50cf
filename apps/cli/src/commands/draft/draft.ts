import {
  Exit,
  type FolderOptions,
  type Host,
  inFolder,
  note,
  unwrapOrExit,
  type Work,
} from '@filewright/host'
import {
  counted,
  type DraftSummary,
  EXIT_CODES,
  type Review,
  toVersion,
  visible,
} from '@filewright/protocol'
import { askYesNo, canAsk } from '../../input/prompt.ts'
import { answer, answerJson } from '../../output/output.ts'
import { showChanges } from '../../output/show-changes.ts'

interface DraftOptions extends FolderOptions {
  readonly draft?: string
  /** The same, as an argument. */
  readonly draftId?: string
  readonly json?: boolean
}

interface PublishOptions extends DraftOptions {
  readonly yes?: boolean
  readonly only?: readonly string[]
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

export function review(options: DraftOptions, host: Host): Promise<void> {
  const draftId = whichDraft(options)
  return host.inWorkspace(options, async ({ connection, params }) => {
    const found = unwrapOrExit(await connection.call('review', { params, query: { draftId } }))
    if (options.json) return answerJson(found)
    answer(`${found.draft.id}  ${found.draft.state}  ${describeFiles(found.draft)}`)
    if (found.changes.length > 0) answer(showChanges(found.changes, found.diffs))
    for (const warning of found.warnings) note(`Warning: ${warning}`)
    for (const file of found.draft.files)
      if (file.drifted) note(`Note: ${whereOf(file)} changed on disk since the draft began.`)
  })
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
    const asked = options.yes ? undefined : await askToPublish(work, draftId)
    const body = {
      draftId: asked?.draft.id ?? draftId,
      only: options.only,
      revision: asked?.draft.revision,
      by: config.userName,
    }
    const published = unwrapOrExit(await connection.call('publish', { params, body }))
    if (options.json) return answerJson(published)
    answer(published.message)
    for (const path of published.rebased)
      note(`${path} had changed on disk; the changes were mapped onto it.`)
    for (const id of published.dropped)
      note(`${id} was left out: it depends on a change that was not accepted.`)
    for (const warning of published.warnings)
      if (!asked?.warnings.includes(warning)) note(`Warning: ${warning}`)
  })
}

/** What the person said yes to. */
async function askToPublish(work: Work, draftId?: string): Promise<Review> {
  const { connection, params } = work
  const review = unwrapOrExit(await connection.call('review', { params, query: { draftId } }))
  const { changes, diffs, draft, warnings } = review
  for (const warning of warnings) note(`Warning: ${warning}`)
  if (changes.length === 0) return review // publishing says so, and closes it
  if (!canAsk()) {
    const which = `--draft ${draft.id} ${inFolder(work)}`
    throw new Exit(
      EXIT_CODES.waiting,
      `the draft ${draft.id} waits for a person: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}"`,
    )
  }
  note(showChanges(changes, diffs))
  const count = counted(changes.length, 'change')
  if (!(await askYesNo(`Write ${count}?`))) throw new Exit(EXIT_CODES.denied, 'nothing was written')
  return review
}

export function takeBack(
  verb: 'undo' | 'redo',
  { changeSetId, ...options }: DraftOptions & { readonly changeSetId?: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const applied = unwrapOrExit(
      await connection.call(verb, {
        params,
        body: { changeSetId, draftId: options.draft },
      }),
    )
    if (options.json) return answerJson(applied)
    answer(
      `${verb === 'undo' ? 'Undone' : 'Redone'}: ${applied.files.map(file => `${file.path} ${file.after ? `is version ${toVersion(file.after)}` : 'is gone'}`).join(', ')}.`,
    )
    for (const warning of applied.warnings) note(`Warning: ${warning}`)
  })
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
