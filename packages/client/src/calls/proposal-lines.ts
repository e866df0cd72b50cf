import {
  type DraftLine,
  fail,
  ok,
  type Proposal,
  type ProposedEdit,
  type Result,
} from '@filewright/protocol'
import { refuseKeyFile } from '../draft/refuse-key-file.ts'
import { refuseForeignName } from '../files/foreign.ts'
import { oneCallDraftId } from './pending-call.ts'
import { type CallParams, circumstancesOf, type RunnerPorts } from './tool-call.ts'

type LinePorts = Pick<RunnerPorts, 'desk' | 'fetchBase' | 'now'>

/** A proposal as the lines of a draft of its own, every base pinned. */
export async function toLines(
  ports: LinePorts,
  proposal: Proposal,
  params: CallParams,
): Promise<Result<DraftLine[]>> {
  const now = ports.now()
  const lines: DraftLine[] = [toOpen(proposal, params, now)]
  for (const [index, edit] of proposal.edits.entries()) {
    const isNew = edit.base === null
    const foreign = isNew && refuseForeignName(edit.path, edit.docPath, edit.format)
    if (foreign) return foreign
    const closed = refuseKeyFile(ports.desk, edit)
    if (closed) return closed
    const pinned = await pin(ports, edit)
    if (!pinned.ok) return pinned
    lines.push(toEdit(edit, index, params, now))
  }
  return ok(lines)
}

function toOpen(proposal: Proposal, params: CallParams, now: Date): DraftLine {
  const { ids, tool, input, policy } = params
  const { label, description } = proposal
  const warnings = [...(params.warnings ?? []), ...(proposal.warnings ?? [])]
  return {
    type: 'open',
    draftId: oneCallDraftId(ids.toolCallId),
    sessionId: ids.sessionId,
    time: now.toISOString(),
    purpose: 'one-call',
    label,
    ...(description && { description }),
    call: { ids, tool, input, policy, warnings },
  }
}

function toEdit(edit: ProposedEdit, index: number, params: CallParams, now: Date): DraftLine {
  const { docPath, path, format, base, operation } = edit
  const { toolCallId } = params.ids
  const circumstances = circumstancesOf(params, now)
  return {
    type: 'edit',
    toolCallId,
    docPath,
    path,
    format,
    base,
    operations: [{ toolCallId, index, operation, circumstances }],
    time: now.toISOString(),
  }
}

async function pin(
  { desk, fetchBase }: LinePorts,
  { base, docPath, path }: ProposedEdit,
): Promise<Result<null>> {
  if (base === null || (await desk.blobs.get(base))) return ok(null)
  const allowPrivate = desk.allowsWriting(docPath)
  const read = await desk.workspace.read(docPath, { allowPrivate })
  if (!read.ok && read.failure.code === 'PRIVATE_FILE')
    return refuseKeyFile(desk, { docPath, path, isPrivate: true })!
  const isThere = read.ok && read.value.sha256 === base
  const bytes = isThere ? read.value.bytes : await fetchBase(base)
  if (!bytes)
    return fail(
      'CONFLICT',
      `Nothing was written: the bytes ${base.slice(0, 8)} that the change to "${path}" is based on are no longer known. Read the file and plan the change on that version.`,
    )
  await desk.blobs.put(bytes)
  return ok(null)
}
