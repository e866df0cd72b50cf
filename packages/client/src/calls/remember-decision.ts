import type { Decision } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Gate } from '../gate/gate.ts'

/** Turns an answer into rules: the same tool on the same files is not asked about again. */
export async function rememberDecision(
  gate: Gate,
  { files, open, sessionId }: Draft,
  { decision, remember }: Decision,
): Promise<void> {
  const effect = decision === 'approved' ? 'write' : 'deny'
  const { tool } = open.call!
  for (const path of files.keys()) {
    // a file may be called "**": the answer was about that file, but a rule on its name would cover all
    if (/[*?{]/.test(path)) continue
    await gate.add({ effect, tool, path, ...(remember === 'session' && { sessionId }) })
  }
}
