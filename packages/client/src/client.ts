import { randomBytes } from 'node:crypto'
import {
  type Applied,
  type CallIds,
  type ChangeSetId,
  counted,
  createIdSource,
  createRouteClient,
  type Decision,
  type RouteClient,
  serialise,
} from '@filewright/protocol'
import { recover } from './apply/apply.ts'
import type { ApplyPorts } from './apply/ports.ts'
import { createCallAnswerer } from './calls/answer-call.ts'
import { createToolRunner } from './calls/tool-runner.ts'
import { openDraftStore } from './draft/draft-store.ts'
import type { Desk } from './draft/draft-view.ts'
import { createFileLister } from './files/file-lister.ts'
import { createScan } from './files/scan.ts'
import { openGate } from './gate/gate.ts'
import { withLentRules } from './gate/lent-rules.ts'
import type { MethodTable } from './link/answerer.ts'
import { type Announcement, announce, attachLink, type DirectServer } from './link/attach.ts'
import { keepPictures } from './link/keep-pictures.ts'
import type { Link } from './link/link.ts'
import { createStoreBlobs } from './link/store-blobs.ts'
import { openUploads } from './link/uploads.ts'
import { createCallMethods } from './methods/call-methods.ts'
import { createContentMethods } from './methods/content-methods.ts'
import { createDraftMethods } from './methods/draft-methods.ts'
import { createGridMethods } from './methods/grid-methods.ts'
import { guardMethods, type LocalPerson } from './methods/guarded-methods.ts'
import { createInstructionMethods } from './methods/instruction-methods.ts'
import { createRuleMethods } from './methods/rule-methods.ts'
import { createSourceMethods } from './methods/source-methods.ts'
import { createUndoMethods } from './methods/undo-methods.ts'
import { answerPublish } from './publish/answer-publish.ts'
import { createDeskBefore } from './publish/desk-before.ts'
import { createDiskWriter } from './publish/disk-writer.ts'
import { listDraftDeeds } from './publish/draft-deeds.ts'
import { createFollow } from './publish/follow-file.ts'
import { followCutOff } from './publish/follow-undo.ts'
import { createLateWatch } from './publish/late-watch.ts'
import { createPublisher } from './publish/publisher.ts'
import { removeOldStateDaily } from './retention.ts'
import type { ClientState } from './state/client-state.ts'
import { type FileWatch, startWatching } from './watching.ts'
import { sha256Of } from './workspace/tree/hash-content.ts'
import type { Workspace } from './workspace/tree/workspace.ts'

export interface ClientOptions extends Announcement {
  readonly workspace: Workspace
  /** This workspace's drafts, rules and kept bytes. The client closes it at its end. */
  readonly state: ClientState
  readonly engines: Desk['engines']
  readonly fetch: (request: Request) => Promise<Response>
  /** In this same process; without it, the server is behind `origin`. */
  readonly server?: DirectServer
  readonly origin: string
  readonly token: string
  readonly allowLarge?: boolean
  /**
   * Asks a person before scanning the folder, where that is required and no rule allows it; returns only with a yes.
   */
  readonly confirmScan?: (question: string) => Promise<void>
  /** Report changed files to the server; for long-lived processes. */
  readonly watch?: boolean
  /** Set for a server that is not trusted: who decides on this machine. */
  readonly person?: LocalPerson
  /** Called at each change of whether the server is reachable. */
  readonly onState?: (state: 'attached' | 'lost') => void
  readonly now?: () => Date
  readonly onLog?: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly onError?: (error: unknown) => void
}

/** A folder offered to a server: runs client tools, keeps drafts, asks at the gate, applies. */
export interface Client {
  readonly workspaceId: string
  /** Work that a crash had interrupted, and its end. */
  readonly recovery: readonly string[]
  /** What a person should know and nobody has reported yet; returned once. */
  takeNotices(): Promise<readonly string[]>
  /** A person said yes to a home folder, a disk's root or a very large tree, after it was opened. */
  allowLarge(): void
  close(): Promise<void>
}

export async function startClient(options: ClientOptions): Promise<Client> {
  const now = options.now ?? (() => new Date())
  const onError = options.onError ?? (() => {})
  const randomHex = (digits: number) => randomBytes(digits / 2).toString('hex')
  const ids = createIdSource(randomHex)
  const oneAtATime = serialise()

  const { state } = options
  const { journal, checkpoints } = state
  const { person } = options
  const rules = person ? withLentRules(state.rules, person.rules) : state.rules
  const gate = await openGate(rules, ids, () => now().toISOString())
  const scan = createScan({ gate, ...options })
  const workspace: Workspace = {
    ...options.workspace,
    list: asked => options.workspace.list({ allowLarge: scan.isAllowed(), ...asked }),
    listNames: asked => options.workspace.listNames({ allowLarge: scan.isAllowed(), ...asked }),
  }
  const ports: ApplyPorts = {
    workspace,
    journal,
    checkpoints,
    now: () => now().getTime(),
    randomHex,
  }
  const recovered = await recover(ports)
  const drafts = await openDraftStore(state.drafts)
  const { engines } = options
  const { writesUnasked } = gate
  const allowsReading = person ? () => false : gate.allowsReading // key files never leave
  const allowsWriting = person ? () => false : gate.allowsWriting
  const allowed = { allowsReading, allowsWriting, writesUnasked }
  const desk: Desk = {
    workspace,
    blobs: state.blobs,
    engines,
    ...allowed,
    keepPictures: pictures => keepPictures(blobs, pictures),
  }
  const lister = createFileLister(workspace)
  if (options.confirmScan) await scan.confirm(options.confirmScan)

  const server = createRouteClient(options)
  const ways = { direct: options.server, server, origin: options.origin }
  const workspaceId = await announce(ways, options)
  const call = options.server?.handle ?? server.call
  const blobs = createStoreBlobs({ workspace, call, server, workspaceId })
  const uploads = await openUploads({
    list: state.uploads,
    blobs,
    call,
    workspaceId,
    allowsReading,
    isStored: workspace.atOnce !== undefined,
    onError,
  })
  const findApplied = async (id: string): Promise<Applied | undefined> => {
    const checkpoint = await checkpoints.get(id as ChangeSetId)
    return checkpoint
      ? { changeSetId: checkpoint.changeSetId, files: checkpoint.files, warnings: [] }
      : undefined
  }
  for (const applied of [...recovered.finished, ...recovered.complete]) await uploads.add(applied)
  await uploads.settle(findApplied)
  await uploads.catchUp()
  await uploads.compact().catch(onError) // keep the old one

  let link: Link | undefined
  let watching: FileWatch | undefined
  const log = (event: string, fields: Readonly<Record<string, unknown>>) => {
    options.onLog?.(event, fields)
    link?.tell([{ type: 'log', event, fields }]).catch(onError)
  }
  const onProgress = ({ sessionId, toolCallId }: CallIds, text: string) => {
    link?.tell([{ type: 'progress', sessionId, toolCallId, text }]).catch(onError)
  }
  const fetchBase = (sha256: string) => fetchBlob(server, workspaceId, sha256)
  const late = await createLateWatch({ ...ports, oneAtATime, onError })
  const follow = createFollow({ desk, checkpoints, fetchBase })
  const writer = createDiskWriter({
    ports,
    uploads,
    oneAtATime,
    ids,
    late,
    follow,
    writesUnasked,
  })
  const publisher = createPublisher({
    desk,
    drafts,
    now,
    apply: writer.apply,
    findApplied,
    fetchBase,
    deskBefore: createDeskBefore(desk, checkpoints),
  })
  await publisher.finishCutOff(({ open }) =>
    open.call ? createCallAnswerer({ desk, log }) : answerPublish('recovery', now),
  )
  const common = { desk, drafts, publisher, oneAtATime, now }
  if (drafts.open().some(({ parts }) => parts.length > 0))
    await followCutOff(common, await checkpoints.list())
  const listDeeds = async (limit: number) => listDraftDeeds(drafts, await checkpoints.list(), limit)
  const told = { log, onProgress, onError }
  const runner = createToolRunner({ ...common, lister, gate, ids, fetchBase, ...told })
  const held = { desk, drafts, blobs, hand: options.server !== undefined }
  const own: MethodTable = {
    ...createCallMethods(runner, drafts),
    ...createSourceMethods({ ...held, lister }),
    ...createContentMethods({ ...held, listWritten: checkpoints.list, writer, ids, fetchBase }),
    ...createDraftMethods({ ...common, listDeeds }),
    ...createGridMethods({ desk, drafts }),
    ...createUndoMethods({ ...common, writer }),
    ...createInstructionMethods({ workspace, gate, lister }),
    ...createRuleMethods(gate, { desk, onScanAllowed: () => watching?.allowed() }),
  }
  const tell = (approvalId: string, { decision, by }: Decision) =>
    call('decide', { params: { workspaceId, approvalId }, body: { decision, by } })
  const methods = person ? guardMethods(own, { person, gate, tell, onError }) : own
  link = await attachLink({
    ...ways,
    workspaceId,
    methods,
    readAtOnce: workspace.readAtOnce,
    onError,
    onState(state) {
      options.onState?.(state)
      if (state === 'attached' && !options.server) uploads.catchUp().catch(onError)
    },
  })
  await link.attached
  if (options.watch) watching = startWatching({ workspace, scan, link, onError })
  const removing = removeOldStateDaily({ ...state, drafts, now: ports.now() })
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
      watching?.allowed()
    },
    takeNotices: late.takeNotices,
    async close() {
      await late.close()
      await watching?.close()
      await link?.close()
      await removing.catch(() => {}) // already reported
      state.close()
    },
  }
}

async function fetchBlob(
  server: RouteClient,
  workspaceId: string,
  sha256: string,
): Promise<Uint8Array | undefined> {
  const response = await server.open('linkBlob', { params: { workspaceId, sha256 } })
  const bytes = response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
  return bytes && sha256Of(bytes) === sha256 ? bytes : undefined // it may be anybody's server
}

function recoveryNotes(recovered: Awaited<ReturnType<typeof recover>>): string[] {
  return [
    ...recovered.finished.map(
      applied =>
        `${counted(applied.files.length, 'file')} had been written when the process was stopped; the change set is complete now (${applied.changeSetId}).`,
    ),
    ...recovered.undone.map(
      id =>
        `Took back a change set that was cut off while it was written (${id}); the files are as they were before it.`,
    ),
    ...recovered.warnings,
  ]
}
