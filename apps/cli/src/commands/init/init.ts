import {
  callTool,
  type FolderOptions,
  type Host,
  isPending,
  standingSession,
} from '@filewright/host'
import { answer, exitCodeOf } from '../../output/output.ts'

const PATH = 'AGENTS.md'

/** A frame to fill in: what we would write about a folder that we do not know would be wrong. */
const FIRST = `# For agents that work in this folder

Write here what a colleague would need on the first day. Delete what does not apply.

- What the files are, and which of them are the originals.
- Names, units, formats: dates, currencies, languages.
- What must never be changed, and by what a good change is known.
`

/** The command itself is the person's yes. An AGENTS.md that is there stays as it is. */
export async function init(options: FolderOptions, host: Host): Promise<void> {
  await host.inWorkspace(options, async work => {
    const sessionId = await standingSession(work)
    const request = {
      tool: 'workspace_create_file',
      arguments: { path: PATH, content: FIRST },
      approve: 'all',
    } as const
    const result = await callTool(work, sessionId, request)
    if (isPending(result)) return answer(result.message)
    process.exitCode = exitCodeOf(result)
    if (!result.success) return answer(result.message)
    answer(
      `Wrote ${PATH}. Fill it in, then allow it with: filewright rules add --effect instructions --path ${PATH}. On a terminal a run asks.`,
    )
  })
}
