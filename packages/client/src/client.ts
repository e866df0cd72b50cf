import { randomBytes } from 'node:crypto'
import type { Engine } from '@filewright/engine'
import {
  type Applied,
  type AttachDirectly,
  type ChangeId,
  type ChangeSetId,
  createIdSource,
  type DocPath,
  type DraftId,
  type DraftLine,
  type Failure,
  fail,
  ok,
  type Published,
  type Result,
  routePath,
  toVersion,
} from '@filewright/protocol'
import { catalog, findTool } from '@filewright/tools'
import type { ApplyPorts } from './apply/ports.ts'
import { findRedoable, findUndoable, redo, undo } from './apply/undo.ts'
import { apply, recover } from './apply.ts'
import { openDirectLink } from './direct-link.ts'
import type { Draft } from './draft/draft.ts'
import { openDraftStore } from './draft/draft-store.ts'
import type { Desk } from './draft/draft-view.ts'
import { findKeptCall, listKeptCalls } from './draft/kept-calls.ts'
import { createFileLister } from './file-lister.ts'
import { openGate } from './gate.ts'
import { type Fetch, type Handle, type Link, type MethodTable, openLink } from './link.ts'
import { officeLockNames } from './office-lock.ts'
import { type Plan, planPublish } from './publish.ts'
import { removeOldStateDaily } from './retention.ts'
import { closeOverDependants, diffsOf, neededBy, reviewFiles, summarise } from './review.ts'
import { serialise } from './serialise.ts'
import { similarFiles } from './similar-files.ts'
import { openApplyState } from './state/apply-state.ts'
import { openStateFolder } from './state/state-folder.ts'
import { createStoreBlobs } from './store-blobs.ts'
import { changeSetIdOf } from './tool-call.ts'
import { createToolRunner } from './tool-runner.ts'
import { handedCall, readCall } from './turn-calls.ts'
import { openUploads } from './uploads.ts'
import type { Workspace } from './workspace/workspace.ts'

export interface ClientOptions {
  readonly workspace: Workspace
  /** Where this workspace's drafts, rules and kept bytes live; never inside the workspace. */
  readonly stateRoot: string
  readonly engines: { readonly text: Engine; readonly hostile: Engine }
  readonly fetch: Fetch
  /** The server in this same process: asked, and asking, without HTTP. */
  readonly server?: { readonly handle: Handle; readonly attach: AttachDirectly }
  readonly origin: string
  readonly token: string
  /** Names the workspace to the server: the same key is the same workspace. */
  readonly key: string
  readonly name: string
  /** Where it lies, for a person who tells two of one name apart. */
  readonly place?: string
  readonly allowLarge?: boolean
  /** Tell the server of files that change; for processes that stay. */
  readonly watch?: boolean
  /** Whether the server is there; told at each change. */
  readonly onState?: (state: 'attached' | 'lost') => void
  readonly now?: () => Date
  readonly onLog?: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly onError?: (error: unknown) => void
}

/** A folder offered to a server: runs client tools, keeps drafts, asks at the gate, applies. */
export interface Client {
  readonly workspaceId: string
  /** What a crash had cut off, and what became of it. */
  readonly recovery: readonly string[]
  close(): Promise<void>
}

/** The server is there and does not take the workspace; 401: it does not know the token. */
export class AttachRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export async function startClient(options: ClientOptions): Promise<Client> {
  const { workspace, engines, fetch, origin, token, key, name } = options
  const now = options.now ?? (() => new Date())
  const onError = options.onError ?? (() => {})
  const randomHex = (digits: number) => randomBytes(digits / 2).toString('hex')
  const ids = createIdSource(randomHex)
  const authorization = `Bearer ${token}`

  const state = await openStateFolder(options.stateRoot)
  const ports: ApplyPorts = {
    workspace,
    ...(await openApplyState(options.stateRoot)),
    now: () => now().getTime(),
    randomHex,
  }
  const recovered = await recover(ports)
  const drafts = await openDraftStore(state)
  const gate = await openGate(state, ids, () => now().toISOString())
  const desk: Desk = { workspace, state, engines, allowsReading: gate.allowsReading }
  const lister = createFileLister(workspace, { allowLarge: options.allowLarge })
  const oneAtATime = serialise()

  const workspaceId = await announce()
  const blobs = createStoreBlobs({ workspace, fetch, origin, token, workspaceId })
  const uploads = await openUploads({ state, blobs, fetch, origin, token, workspaceId, onError })
  const findApplied = async (id: string): Promise<Applied | undefined> => {
    const checkpoint = await ports.checkpoints.get(id as ChangeSetId)
    return checkpoint
      ? { changeSetId: checkpoint.changeSetId, files: checkpoint.files, warnings: [] }
      : undefined
  }
  for (const applied of recovered.finished) await uploads.add(applied)
  await uploads.settle(findApplied)
  await uploads.catchUp()

  let link: Link | undefined
  const runner = createToolRunner({
    desk,
    lister,
    drafts,
    gate,
    ids,
    now,
    apply: (plan, kept) => applyPlan(plan, kept),
    findApplied,
    async fetchBase(_docPath, sha256) {
      const response = await fetch(
        new Request(origin + routePath('getBlob', { workspaceId, sha256 }), {
          headers: { authorization },
        }),
      )
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
    },
    log(event, fields) {
      options.onLog?.(event, fields)
      link?.tell([{ type: 'log', event, fields }]).catch(onError)
    },
    onError,
  })
  await runner.finishDecided()
  await finishPublishing()

  async function announce(): Promise<string> {
    const response = await fetch(
      new Request(origin + routePath('attachWorkspace'), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ key, name, place: options.place }),
      }),
    )
    if (!response.ok)
      throw new AttachRefused(
        response.status,
        `The server at ${origin} answered ${response.status} to the workspace "${name}"`,
      )
    return ((await response.json()) as { workspaceId: string }).workspaceId
  }

  /** The only way to the disk; one change set at a time. */
  function applyPlan(plan: Plan, kept?: Promise<void>): Promise<Result<Applied>> {
    return oneAtATime('apply', async () => {
      if (plan.changeSet.files.length === 0)
        return ok({ changeSetId: plan.changeSet.id, files: [], warnings: [] })
      await Promise.all([uploads.intend(plan.changeSet.id), kept])
      const applied = await apply(plan.changeSet, ports)
      if (applied.ok) await uploads.add(applied.value)
      return applied
    })
  }

  async function choose(draftId: string | undefined): Promise<Result<Draft>> {
    if (draftId !== undefined) {
      const draft = await drafts.find(draftId as DraftId)
      if (draft) return ok(draft)
      return fail(
        'NOT_FOUND',
        `There is no draft "${draftId}". Open drafts: ${
          drafts
            .open()
            .map(({ id }) => id)
            .join(', ') || 'none'
        }.`,
      )
    }
    const last = drafts.open().findLast(({ open }) => open.purpose === 'workshop')
    return last
      ? ok(last)
      : fail(
          'NOT_FOUND',
          'There is no open draft: nothing has been changed since the last publish.',
        )
  }

  async function publish(
    draft: Draft,
    refused: readonly ChangeId[],
    by: string,
  ): Promise<Result<Published>> {
    if (draft.state !== 'open')
      return fail('CONFLICT', `The draft ${draft.id} is ${draft.state} already.`)
    if (draft.open.purpose === 'one-call')
      return fail(
        'INVALID_ARGUMENT',
        `The draft ${draft.id} waits at an approval. Answer it with: filewright approvals approve ${draft.approvalId}`,
      )
    const warnings = await openElsewhere(draft)
    const changeSetId = changeSetIdOf(draft.id)
    const plan = await planPublish(desk, draft, refused, changeSetId)
    if (!plan.ok) return plan
    const before = await ports.checkpoints.get(changeSetId)
    const applied = before
      ? ok({ changeSetId, files: before.files, warnings: [] })
      : await applyPlan(plan.value)
    if (!applied.ok) return applied
    const close: DraftLine = {
      type: 'close',
      how: 'published',
      changeSetId,
      by,
      time: now().toISOString(),
    }
    const refusal: DraftLine[] =
      refused.length > 0 ? [{ type: 'refuse', changeIds: refused, by, time: close.time }] : []
    await drafts.append(draft.id, [...refusal, close])
    forget(draft)
    const published = toPublished(draft, applied.value, plan.value, refused)
    return ok({ ...published, warnings: [...warnings, ...published.warnings] })
  }

  /** A publish that a crash cut off after its files were written is closed; before that, the draft is open as it was. */
  async function finishPublishing() {
    for (const draft of drafts.open()) {
      if (draft.open.purpose !== 'workshop') continue
      const changeSetId = changeSetIdOf(draft.id)
      if (!(await ports.checkpoints.get(changeSetId))) continue
      await drafts.append(draft.id, [
        { type: 'close', how: 'published', changeSetId, by: 'recovery', time: now().toISOString() },
      ])
    }
  }

  function forget(draft: Draft) {
    for (const docPath of draft.files.keys()) {
      engines.text.forget(`${draft.id}:${docPath}`)
      engines.hostile.forget(`${draft.id}:${docPath}`)
    }
  }

  const methods: MethodTable = {
    async 'tool-call'({ turn, input, ...rest }) {
      const call = input ? handedCall(turn, input) : readCall(turn)
      return call.ok ? ok(await runner.run({ ...call.value, ...rest })) : call
    },
    'tool-state': async ({ toolCallId }) => ok(await runner.state(toolCallId)),
    'tool-cancel': async ({ toolCallId }) => {
      await runner.cancel(toolCallId)
      return ok(null)
    },
    'kept-calls': async ({ limit }) => ok(listKeptCalls(drafts, limit)),
    'kept-call': async ({ toolCallId }) => ok(await findKeptCall(drafts, toolCallId)),
    async source({ docPath, known, similar }) {
      const allowPrivate = gate.allowsReading(docPath)
      const sent = await blobs.send(docPath, {
        known,
        allowPrivate,
        hand: options.server !== undefined,
      })
      const isMissing = !sent.ok && sent.failure.code === 'NOT_FOUND'
      return isMissing && similar ? withSimilar(sent, docPath as DocPath) : sent
    },
    files: params => lister.list(params),
    async 'draft-list'({ state }) {
      const listed = state === 'open' ? drafts.open() : await drafts.list()
      return ok(await Promise.all(listed.map(draft => summarise(desk, draft))))
    },
    async 'draft-review'({ draftId }) {
      const draft = await choose(draftId)
      if (!draft.ok) return draft
      const { revision } = draft.value // before the changes: what is done meanwhile is then not taken as seen
      const reviewed = await reviewFiles(desk, draft.value)
      if (!reviewed.ok) return reviewed
      return ok({
        draft: { ...(await summarise(desk, draft.value, reviewed.value)), revision },
        changes: reviewed.value.flatMap(file => file.changes),
        diffs: await diffsOf(desk, draft.value),
        warnings: await openElsewhere(draft.value),
      })
    },
    async 'draft-publish'({ draftId, only, refused = [], revision, by }) {
      const draft = await choose(draftId)
      if (!draft.ok) return draft
      return oneAtATime(draft.value.sessionId, async () => {
        if (revision !== undefined && draft.value.revision !== revision)
          return fail(
            'CONFLICT',
            'Nothing was written: the draft has gone on since it was reviewed. Look at it again, then publish it.',
          )
        const isWhole = only === undefined && refused.length === 0
        const ids = isWhole ? ok([]) : await refusedBy(draft.value, only, refused)
        return ids.ok ? publish(draft.value, ids.value, by) : ids
      })
    },
    async 'draft-discard'({ draftId, by }) {
      const draft = await choose(draftId)
      if (!draft.ok) return draft
      if (draft.value.state !== 'open')
        return fail('CONFLICT', `The draft ${draft.value.id} is ${draft.value.state} already.`)
      return oneAtATime(draft.value.sessionId, async () => {
        const closed = await drafts.append(draft.value.id, [
          { type: 'close', how: 'discarded', by, time: now().toISOString() },
        ])
        forget(closed)
        return ok(await summarise(desk, closed))
      })
    },
    undo: params => takeBack(params, findUndoable, undo, 'undo'),
    redo: params => takeBack(params, findRedoable, redo, 'redo'),
    'approval-list': async params => ok(await runner.approvals(params)),
    'approval-decide': ({ approvalId, decision }) => runner.decide(approvalId, decision),
    'rule-list': async () => ok(gate.rules()),
    async 'rule-add'({ rule }) {
      if (rule.tool === undefined || findTool(rule.tool)) return ok(await gate.add(rule))
      const names = catalog.map(({ declaration }) => declaration.name).join(', ')
      return fail('UNKNOWN_TOOL', `There is no tool "${rule.tool}". The tools are ${names}.`)
    },
    'rule-remove': ({ ruleId }) => gate.remove(ruleId),
  }

  async function withSimilar(
    { failure }: { failure: Failure },
    docPath: DocPath,
  ): Promise<Result<never>> {
    const similar = await similarFiles(workspace, undefined, docPath)
    return { ok: false, failure: { ...failure, details: { ...failure.details, similar } } }
  }

  async function takeBack(
    { changeSetId: given, draftId }: { changeSetId?: string; draftId?: string },
    find: typeof findUndoable,
    take: typeof undo,
    verb: string,
  ): Promise<Result<Applied>> {
    const ofDraft = draftId === undefined ? ok(undefined) : await writtenBy(draftId)
    if (!ofDraft.ok) return ofDraft
    return oneAtATime('apply', async () => {
      const changeSetId =
        given ?? ofDraft.value ?? find(await ports.checkpoints.list())?.changeSetId
      if (changeSetId === undefined)
        return fail('NOT_FOUND', `Nothing was written: there is nothing to ${verb}.`)
      const as = ids('changeSet')
      await uploads.intend(as)
      const applied = await take(changeSetId as ChangeSetId, ports, { as })
      if (applied.ok) await uploads.add(applied.value)
      return applied
    })
  }

  async function writtenBy(draftId: string): Promise<Result<ChangeSetId>> {
    const draft = await choose(draftId)
    if (!draft.ok) return draft
    if (draft.value.state === 'published') return ok(changeSetIdOf(draft.value.id))
    return fail(
      'CONFLICT',
      `Nothing was written: the draft ${draftId} is ${draft.value.state}, so nothing of it is in the files.`,
    )
  }

  async function refusedBy(
    draft: Draft,
    only: readonly string[] | undefined,
    refused: readonly string[],
  ): Promise<Result<ChangeId[]>> {
    const reviewed = await reviewFiles(desk, draft)
    if (!reviewed.ok) return reviewed
    const all = reviewed.value.flatMap(file => file.changes)
    const known = new Set<string>(all.map(({ id }) => id))
    const unknown = [...(only ?? []), ...refused].filter(id => !known.has(id))
    if (unknown.length > 0)
      return fail(
        'NOT_FOUND',
        `Nothing was written: the draft has no change ${unknown.join(', ')}. "filewright review" lists its changes.`,
      )
    const wanted = only && new Set(only)
    const left = wanted ? all.map(({ id }) => id).filter(id => !wanted.has(id)) : []
    const gone = [...new Set([...left, ...(refused as ChangeId[])])]
    const { dropped } = closeOverDependants(all, gone)
    if (only && gone.length + dropped.length === all.length && dropped.length > 0)
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written, and the draft is as it was: ${dropped.join(', ')} cannot stand without changes that were left out. Name those too: ${neededBy(all, dropped).join(', ')}.`,
      )
    return ok(gone)
  }

  async function startWatching(told: Link) {
    for await (const entry of workspace.list({ allowLarge: options.allowLarge }))
      if (entry.kind === 'question') return undefined // a person is asked before all of it is looked at
    return workspace.watch?.({
      onError,
      onChange: ({ docPaths, isAll }) =>
        told.tell([{ type: 'files-changed', docPaths, ...(isAll && { all: true }) }]),
    })
  }

  async function attachLink(): Promise<Link> {
    const { server } = options
    if (!server)
      return openLink({
        fetch,
        origin,
        token,
        workspaceId,
        methods,
        onError,
        onState(state) {
          options.onState?.(state)
          if (state === 'attached') uploads.catchUp().catch(onError)
        },
      })
    const opened = await openDirectLink({ ...server, workspaceId, methods, onError })
    if (!opened.ok) throw new AttachRefused(403, opened.failure.message)
    options.onState?.('attached')
    return opened.value
  }

  async function openElsewhere(draft: Draft): Promise<string[]> {
    const warnings: string[] = []
    for (const { path } of draft.files.values()) {
      const slash = path.lastIndexOf('/') + 1
      const locks = officeLockNames(path.slice(slash)).map(name => path.slice(0, slash) + name)
      const found = await Promise.all(locks.map(lock => workspace.locate(lock)))
      if (found.some(lock => lock.ok))
        warnings.push(
          `"${path}" seems to be open in an office program; close it there without saving, or it may write over the new version.`,
        )
    }
    return warnings
  }

  link = await attachLink()
  await link.attached
  const watching = options.watch ? startWatching(link) : undefined
  watching?.catch(onError)
  const { checkpoints } = ports
  const removing = removeOldStateDaily({ state, drafts, checkpoints, now: ports.now() })
  removing.catch(onError)
  return {
    workspaceId,
    recovery: recoveryNotes(recovered),
    async close() {
      await watching?.then(
        started => started?.close(),
        () => {}, // told before
      )
      await link?.close()
      await removing.catch(() => {}) // told already
      state.close()
    },
  }
}

function toPublished(
  draft: Draft,
  applied: Applied,
  plan: Plan,
  refused: readonly ChangeId[],
): Published {
  const files = applied.files.map(file => ({
    path: file.path,
    docPath: file.docPath,
    action: file.before === null ? 'created' : file.after === null ? 'deleted' : 'changed',
    version: file.after && toVersion(file.after),
  }))
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`
  return {
    draftId: draft.id,
    changeSetId: applied.changeSetId,
    files,
    refused,
    dropped: plan.dropped,
    rebased: [...plan.rebased],
    warnings: applied.warnings,
    message:
      files.length === 0
        ? 'Nothing was written: no change was accepted.'
        : `Published: ${count} written (${files.map(file => `${file.path} ${file.action}`).join(', ')}).`,
  }
}

function recoveryNotes(recovered: Awaited<ReturnType<typeof recover>>): string[] {
  return [
    ...recovered.finished.map(
      applied =>
        `Finished writing ${applied.files.length} files that a crash had cut off (${applied.changeSetId}).`,
    ),
    ...recovered.undone.map(
      id =>
        `Took back a change set that a crash had cut off (${id}); the files are as they were before it.`,
    ),
    ...recovered.warnings,
  ]
}
