import { type Content, type Proposal, toDocPath } from '@filewright/protocol'
import type { GateFile } from '../gate/gate.ts'
import type { PublishPlan } from '../publish/plan-publish.ts'
import { whyExecuted } from '../workspace/tree/executed-files.ts'
import type { CallParams, RunnerPorts } from './tool-call.ts'

/** Whether a rule answers for the person: checked for every file to be written, and for the target of a link. */
export async function askGate(
  { gate, desk }: Pick<RunnerPorts, 'gate' | 'desk'>,
  proposal: Proposal,
  plan: PublishPlan,
  { tool, ids: { sessionId } }: CallParams,
) {
  if (gate.rules().length === 0) return gate.answer({ tool, sessionId, files: [] })
  const planned = new Map(plan.changeSet.files.map(file => [file.docPath, file.content]))
  const files: GateFile[] = []
  for (const { docPath } of proposal.edits) {
    const bytes = newLength(planned.get(docPath) ?? [])
    const place = await desk.workspace.locate(docPath)
    const isPrivate = place.ok ? place.value.isPrivate : desk.workspace.isPrivate(docPath)
    const real = place.ok ? toDocPath(place.value.realPath) : docPath
    const isExecuted = (await whyExecuted(desk.workspace, docPath)) !== undefined
    const needsName = isPrivate || isExecuted
    files.push({ docPath, bytes, needsName })
    if (real !== docPath) files.push({ docPath: real, bytes, needsName }) // for a link, its target is written
  }
  return gate.answer({ tool, sessionId, files })
}

function newLength(content: Content): number {
  return content.reduce((sum, slice) => sum + (slice.from === 'inline' ? slice.bytes.length : 0), 0)
}
