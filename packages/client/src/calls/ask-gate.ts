import { type Content, type DocPath, type Proposal, toDocPath } from '@filewright/protocol'
import type { PublishPlan } from '../publish/plan-publish.ts'
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
  const files: { docPath: DocPath; bytes: number }[] = []
  for (const { docPath } of proposal.edits) {
    const bytes = newLength(planned.get(docPath) ?? [])
    files.push({ docPath, bytes })
    const place = await desk.workspace.locate(docPath)
    const real = place.ok ? toDocPath(place.value.realPath) : docPath
    if (real !== docPath) files.push({ docPath: real, bytes }) // for a link, its target is written
  }
  return gate.answer({ tool, sessionId, files })
}

function newLength(content: Content): number {
  return content.reduce((sum, slice) => sum + (slice.from === 'inline' ? slice.bytes.length : 0), 0)
}
