import { randomBytes } from 'node:crypto'
import type { Engine } from '@filewright/engine'
import {
  type AnswerOf,
  type Applied,
  type AttachDirectly,
  type CallRoute,
  type ChangeSet,
  type ChangeSetId,
  counted,
  createIdSource,
  createRouteClient,
  type DocPath,
  type Failure,
  fail,
  ok,
  type Result,
  serialise,
  type TakenBack,
} from '@filewright/protocol'
import { catalog, findTool } from '@filewright/tools'
import { apply, recover } from './apply/apply.ts'
import type { ApplyPorts } from './apply/ports.ts'
import { findRedoable, findUndoable, redo, undo } from './apply/undo.ts'
import { createCallAnswerer } from './calls/answer-call.ts'
import { createToolRunner } from './calls/tool-runner.ts'
import { handedCall, readCall } from './calls/turn-calls.ts'
import { openDraftStore } from './draft/draft-store.ts'
import type { Desk } from './draft/draft-view.ts'
import { draftStateOf, readDraftedSource } from './draft/drafted-source.ts'
import { findKeptCall, listKeptCalls } from './draft/kept-calls.ts'
import { similarFiles } from './draft/similar-files.ts'
import { answerPublish, createDraftMethods } from './draft-methods.ts'
import { createFileLister } from './files/file-lister.ts'
import { createScan } from './files/scan.ts'
import { openGate } from './gate/gate.ts'
import type { MethodTable } from './link/answerer.ts'
import { openDirectLink } from './link/direct-link.ts'
import { type Link, openLink } from './link/link.ts'
import { createStoreBlobs } from './link/store-blobs.ts'
import { openUploads } from './link/uploads.ts'
import { changeSetIdOf, draftIdOf } from './publish/change-set-id.ts'
import { createPublisher } from './publish/publisher.ts'
import { removeOldStateDaily } from './retention.ts'
import { openApplyState } from './state/apply-state.ts'
import { openStateFolder } from './state/state-folder.ts'
import type { Workspace } from './workspace/tree/workspace.ts'

export interface ClientOptions {
  readonly workspace: Workspace
  /** Where this workspace's drafts, rules and kept bytes live; never inside the workspace. */
  readonly stateRoot: string
  readonly engines: { readonly trusted: Engine; readonly hostile: Engine }
  readonly fetch: (request: Request) => Promise<Response>
  /** The server in this same process: asked, and asking, without HTTP. */
  readonly server?: { readonly handle: CallRoute; readonly attach: AttachDirectly }
  readonly origin: string
  readonly token: string
  /** Names the workspace to the server: the same key is the same workspace. */
  readonly key: string
  readonly name: string
  /** Where it lies, for a person who tells two of one name apart. */
  readonly place?: string
  readonly allowLarge?: boolean
  /** Asks a person before the folder is looked through, where that must be asked and no rule says yes; returns only with a yes. */
  readonly confirmScan?: (question: string) => Promise<void>
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
  /** A person said yes to a home folder, a disk's root or a very large tree, after it was opened. */
  allowLarge(): void
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
  const { engines, origin, key, name } = options
  const now = options.now ?? (() => new Date())
  const onError = options.onError ?? (() => {})
  const randomHex = (digits: number) => randomBytes(digits / 2).toString('hex')
  const ids = createIdSource(randomHex)
  const server = createRouteClient(options)

  const state = await openStateFolder(options.stateRoot)
  const gate = await openGate(state, ids, () => now().toISOString())
  const scan = createScan({ gate, ...options })
  const workspace: Workspace = {
    ...options.workspace,
    list: asked => options.workspace.list({ allowLarge: scan.isAllowed(), ...asked }),
  }
  const ports: ApplyPorts = {
    workspace,
    ...(await openApplyState(options.stateRoot)),
    now: () => now().getTime(),
    randomHex,
  }
  const recovered = await recover(ports)
  const drafts = await openDraftStore(state)
  const desk: Desk = { workspace, state, engines, allowsReading: gate.allowsReading }
  const lister = createFileLister(workspace)
  const oneAtATime = serialise()

  if (options.confirmScan) await scan.confirm(options.confirmScan)
  const workspaceId = await announce()
  const blobs = createStoreBlobs({ workspace, server, workspaceId })
  const uploads = await openUploads({ state, blobs, server, workspaceId, onError })
  const findApplied = async (id: string): Promise<Applied | undefined> => {
    const checkpoint = await ports.checkpoints.get(id as ChangeSetId)
    return checkpoint
      ? { changeSetId: checkpoint.changeSetId, files: checkpoint.files, warnings: [] }
      : undefined
  }
  for (const applied of recovered.finished) await uploads.add(applied)
  await uploads.settle(findApplied)
  await uploads.catchUp()
  await uploads.compact().catch(onError) // the old one stands

  let link: Link | undefined
  const log = (event: string, fields: Readonly<Record<string, unknown>>) => {
    options.onLog?.(event, fields)
    link?.tell([{ type: 'log', event, fields }]).catch(onError)
  }
  const publisher = createPublisher({ desk, drafts, now, apply: applyInTurn, findApplied })
  await publisher.finishCutOff(({ open }) =>
    open.call ? createCallAnswerer({ desk, log }) : answerPublish('recovery', now),
  )
  const runner = createToolRunner({
    desk,
    lister,
    drafts,
    gate,
    ids,
    now,
    oneAtATime,
    publisher,
    async fetchBase(_docPath, sha256) {
      const response = await server.open('getBlob', { params: { workspaceId, sha256 } })
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
    },
    log,
    onError,
  })
  const { methods: draftMethods, choose } = createDraftMethods({
    desk,
    drafts,
    publisher,
    oneAtATime,
    now,
  })

  async function announce(): Promise<string> {
    const body = { key, name, place: options.place }
    if (options.server) {
      const attached = await options.server.handle('attachWorkspace', { body })
      if (!attached.ok) throw new AttachRefused(403, attached.failure.message)
      return attached.value.workspaceId
    }
    const response = await server.open('attachWorkspace', { body })
    if (!response.ok)
      throw new AttachRefused(
        response.status,
        `The server at ${origin} answered ${response.status} to the workspace "${name}"`,
      )
    const attached = (await response.json()) as AnswerOf<'attachWorkspace'>
    return attached.workspaceId
  }

  /** The only way to the disk; one change set at a time. */
  function applyInTurn(changeSet: ChangeSet, kept?: Promise<void>): Promise<Result<Applied>> {
    return oneAtATime('apply', async () => {
      const { id, files } = changeSet
      if (files.length === 0) return ok({ changeSetId: id, files: [], warnings: [] })
      await Promise.all([uploads.intend(id), kept])
      const applied = await apply(changeSet, ports)
      if (applied.ok) await uploads.add(applied.value)
      return applied
    })
  }

  const methods: MethodTable = {
    async 'tool-call'({ turn, input, policy, author, warnings, begun }) {
      const call = input ? handedCall(turn, input) : readCall(turn)
      if (!call.ok) return call
      return ok(await runner.run({ policy, author, warnings, begun, ...call.value }))
    },
    'tool-state': async ({ toolCallId }) => ok(await runner.state(toolCallId)),
    'tool-cancel': async ({ toolCallId }) => {
      await runner.cancel(toolCallId)
      return ok(null)
    },
    'kept-calls': async ({ limit }) => ok(listKeptCalls(drafts, limit)),
    'kept-call': async ({ toolCallId }) => ok(await findKeptCall(drafts, toolCallId)),
    async source({ docPath, known, similar, draftOf }) {
      const hand = options.server !== undefined
      const drafted =
        draftOf && (await readDraftedSource({ desk, drafts, blobs }, docPath, { ...draftOf, hand }))
      if (drafted) return drafted
      const allowPrivate = gate.allowsReading(docPath)
      const sent = await blobs.send(docPath, {
        known,
        allowPrivate,
        hand,
      })
      if (sent.ok) {
        const draftState = draftOf && draftStateOf(drafts, docPath, draftOf.sessionId)
        return ok({ ...sent.value, ...(draftState && { draftState }) })
      }
      const isMissing = sent.failure.code === 'NOT_FOUND'
      return isMissing && similar ? withSimilar(sent, docPath as DocPath) : sent
    },
    async files(params) {
      const listed = await lister.list(params)
      if (!listed.ok) return listed
      const { drafted: _, ...page } = listed.value // of a session's draft, for its tools
      return ok(page)
    },
    ...draftMethods,
    undo: params => takeBack(params, findUndoable, undo, 'undo'),
    redo: params => takeBack(params, findRedoable, redo, 'redo'),
    'approval-list': async params => ok(await runner.approvals(params)),
    'approval-decide': ({ approvalId, decision }) => runner.decide(approvalId, decision),
    'rule-list': async () => ok(gate.rules()),
    async 'rule-add'({ rule }) {
      if (rule.tool === undefined || findTool(rule.tool)) {
        const added = await gate.add(rule)
        if (added.ok && rule.effect === 'scan') watchAfterYes()
        return added
      }
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
  ): Promise<Result<TakenBack>> {
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
      if (!applied.ok) return applied
      await uploads.add(applied.value)
      const draft = await drafts.find(draftIdOf(changeSetId as ChangeSetId))
      const of = draft && { draftId: draft.id, sessionId: draft.sessionId }
      return ok({ ...applied.value, ...(of && { of }) })
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

  async function startWatching(told: Link) {
    if (await scan.findQuestion()) return undefined // a person is asked before all of it is looked at
    return workspace.watch?.({
      onError,
      onChange: ({ docPaths, isAll }) =>
        told.tell([{ type: 'files-changed', docPaths, ...(isAll && { all: true }) }]),
    })
  }

  async function attachLink(): Promise<Link> {
    if (!options.server)
      return openLink({
        server,
        workspaceId,
        methods,
        onError,
        onState(state) {
          options.onState?.(state)
          if (state === 'attached') uploads.catchUp().catch(onError)
        },
      })
    const opened = await openDirectLink({
      ...options.server,
      workspaceId,
      methods,
      readAtOnce: workspace.readAtOnce,
      onError,
    })
    if (!opened.ok) throw new AttachRefused(403, opened.failure.message)
    options.onState?.('attached')
    return opened.value
  }

  function watchAfterYes(): void {
    const told = link!
    watching = watching?.then(started => started ?? startWatching(told))
    watching?.catch(onError)
  }

  link = await attachLink()
  await link.attached
  let watching = options.watch ? startWatching(link) : undefined
  watching?.catch(onError)
  const { checkpoints } = ports
  const removing = removeOldStateDaily({ state, drafts, checkpoints, now: ports.now() })
  removing.catch(onError)
  return {
    workspaceId,
    recovery: [
      ...recoveryNotes(recovered),
      ...gate.trouble,
      ...uploads.trouble,
      ...drafts.foundDamaged.map(({ id, trouble }) => `The draft ${id} is damaged. ${trouble}`),
    ],
    allowLarge() {
      if (scan.isAllowed()) return
      scan.allow()
      watchAfterYes()
    },
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

function recoveryNotes(recovered: Awaited<ReturnType<typeof recover>>): string[] {
  return [
    ...recovered.finished.map(
      applied =>
        `Finished writing ${counted(applied.files.length, 'file')} that a crash had cut off (${applied.changeSetId}).`,
    ),
    ...recovered.undone.map(
      id =>
        `Took back a change set that a crash had cut off (${id}); the files are as they were before it.`,
    ),
    ...recovered.warnings,
  ]
}
