import {
  type Change,
  type ChangeId,
  type LoggedOperation,
  type Operation,
  ok,
  type Result,
} from '@filewright/protocol'
import type {
  AppliedOperations,
  ApplyOptions,
  DocumentName,
  Format,
  InputBytes,
  OpenDocument,
  Replayed,
  StrayedOperation,
} from './format.ts'
import { hasStrayed, operationOf, traced } from './operation-trace.ts'
import { withdrawnBy } from './withdrawal.ts'

/** Permissions stay granted: a log has only operations that were accepted once. */
export const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** An operation of a log without some changes. */
export interface NarrowedOperation extends LoggedOperation {
  /** Operations before it that are left out, in their order: they were made when it was logged, so its places count them. */
  readonly assumes?: readonly Operation[]
}

/** A document whose operations can make only some of their changes. */
export interface NarrowableDocument extends OpenDocument {
  applyAccepted(
    log: readonly NarrowedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
  ): Result<AppliedOperations>
}

type Opener<Own> = (bytes: Uint8Array, name: DocumentName) => Result<Own>

interface Base<Own> {
  readonly open: Opener<Own>
  readonly base: Uint8Array
  readonly name: DocumentName
  readonly inputs?: InputBytes
}

interface Narrowed<Own> {
  readonly document: Own
  /** The operations that are left, each with the changes that are left. */
  readonly log: readonly NarrowedOperation[]
  /** Dependants of what went, which went with it. */
  readonly dropped: readonly ChangeId[]
}

/** Drafts of a format: a log that may take back changes, and its replay without the refused ones. */
export function draftsOf<Own extends NarrowableDocument>(
  open: Opener<Own>,
): Pick<Format, 'open' | 'replay'> {
  return {
    open: (bytes, name) => {
      const draft = openDraft({ open, base: bytes, name })
      return draft.ok ? ok(draft.value.draft) : draft
    },
    replay: (base, log, refused, name, inputs) =>
      replay({ open, base, name, inputs }, log, refused),
  }
}

/** A document whose log may take back changes: it is then built again from the file without them. */
function openDraft<Own extends NarrowableDocument>(
  begin: Base<Own>,
): Result<{
  readonly draft: OpenDocument
  current(): Own
  log(): readonly NarrowedOperation[]
}> {
  const opened = begin.open(begin.base, begin.name)
  if (!opened.ok) return opened
  let current = opened.value
  let done: NarrowedOperation[] = []
  let inputs = begin.inputs
  const strayed: StrayedOperation[] = []

  function apply(
    log: readonly LoggedOperation[],
    options?: ApplyOptions,
  ): Result<AppliedOperations> {
    const at = log.findIndex(logged => withdrawnBy(logged))
    if (at === -1) return applyPlain(log, options)
    const before = applyPlain(log.slice(0, at), options)
    if (!before.ok) return before
    const withdrawn = withdraw(log[at]!)
    if (!withdrawn.ok) return withdrawn
    const after = apply(log.slice(at + 1), options)
    if (!after.ok) return after
    const join = <Item>(pick: (applied: AppliedOperations) => readonly Item[]) => [
      ...pick(before.value),
      ...pick(after.value),
    ]
    return ok({
      results: join(({ results }) => results),
      changes: current.changes(),
      warnings: join(({ warnings }) => warnings),
      traces: join(({ traces }) => traces),
    })
  }

  function applyPlain(log: readonly LoggedOperation[], options?: ApplyOptions) {
    const applied = current.apply(log, options)
    if (!applied.ok) return applied
    for (const [index, logged] of log.entries()) {
      const trace = applied.value.traces[index]!
      done.push(traced(logged, trace))
      if (hasStrayed(logged, trace)) strayed.push(operationOf(logged))
    }
    if (options?.inputs) inputs = { ...inputs, ...options.inputs }
    return applied
  }

  function withdraw(logged: LoggedOperation): Result<null> {
    const left = applyWithout({ ...begin, inputs }, done, current.changes(), withdrawnBy(logged)!)
    if (!left.ok) return left
    current = left.value.document
    done = [...left.value.log]
    return ok(null)
  }

  const draft: OpenDocument = {
    map: () => current.map(),
    read: (...asked) => current.read(...asked),
    search: query => current.search(query),
    ...(current.tables && { tables: (named?: string) => current.tables!(named) }),
    apply,
    changes: () => current.changes(),
    strayed: () => strayed,
    ...(current.consequences && { consequences: () => current.consequences!() }),
    content: () => current.content(),
  }
  return ok({ draft, current: () => current, log: () => done })
}

/**
 * Applies the log once in full to learn every change and its dependencies, then again without the refused changes and
 * their dependants.
 */
function replay<Own extends NarrowableDocument>(
  begin: Base<Own>,
  log: readonly LoggedOperation[],
  refused: ReadonlySet<ChangeId>,
): Result<Replayed> {
  const opened = openDraft(begin)
  if (!opened.ok) return opened
  const { draft, current, log: done } = opened.value
  const applied = draft.apply(log, { ...ALLOWED, inputs: begin.inputs, replays: true })
  if (!applied.ok) return applied
  const changes = draft.changes()
  if (!changes.some(({ id }) => refused.has(id))) return finish(draft, changes, [])
  const left = applyWithout(begin, done(), current().changes(), refused)
  if (!left.ok) return left
  const { document, dropped } = left.value
  return finish(document, document.changes(), dropped)
}

/**
 * Applies a log without some of its changes and their dependants. A place that was never shown is not touched, whatever
 * an operation would find there now.
 */
function applyWithout<Own extends NarrowableDocument>(
  { open, base, name, inputs }: Base<Own>,
  log: readonly NarrowedOperation[],
  changes: readonly Change[],
  refused: ReadonlySet<ChangeId>,
): Result<Narrowed<Own>> {
  const { gone, dropped } = withDependants(changes, refused)
  const kept = changes.filter(({ id }) => !gone.has(id))
  const ids = new Set(kept.map(({ id }) => id))
  const operations = new Set(kept.map(({ operation }) => keyOf(operation)))
  const left = narrowed(log, operations)
  const opened = open(base, name)
  if (!opened.ok) return opened
  const applied = opened.value.applyAccepted(left, { ...ALLOWED, inputs, replays: true }, id =>
    ids.has(id),
  )
  if (!applied.ok) return applied
  // what has nothing to do without the others goes with them
  const made = new Set(opened.value.changes().map(({ id }) => id))
  const idle = [...ids].filter(id => !made.has(id))
  return ok({ document: opened.value, log: left, dropped: [...dropped, ...idle] })
}

/** The operations of a log that are left, each with those before it that are not. */
function narrowed(
  log: readonly NarrowedOperation[],
  left: ReadonlySet<string>,
): readonly NarrowedOperation[] {
  const gone: Operation[] = []
  return log.flatMap(logged => {
    if (left.has(keyOf(logged))) {
      const assumes = [...(logged.assumes ?? []), ...gone]
      return assumes.length > 0 ? [{ ...logged, assumes }] : [logged]
    }
    gone.push(logged.operation)
    return []
  })
}

function withDependants(changes: readonly Change[], refused: ReadonlySet<ChangeId>) {
  const gone = new Set<ChangeId>(changes.map(({ id }) => id).filter(id => refused.has(id)))
  const dropped: ChangeId[] = []
  for (const { id, dependsOn } of changes)
    if (!gone.has(id) && dependsOn.some(other => gone.has(other))) {
      gone.add(id)
      dropped.push(id)
    }
  return { gone, dropped }
}

/** Names an operation within its log. */
export function keyOf({
  toolCallId,
  index,
}: Pick<LoggedOperation, 'toolCallId' | 'index'>): string {
  return `${index} ${toolCallId}`
}

function finish(
  document: Pick<OpenDocument, 'content'>,
  changes: readonly Change[],
  dropped: readonly ChangeId[],
): Result<Replayed> {
  const content = document.content()
  return content.ok ? ok({ content: content.value, changes, dropped }) : content
}
