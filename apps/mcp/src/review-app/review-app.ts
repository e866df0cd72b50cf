import { readWebPage } from '@filewright/host'
import type { ToolDeclaration } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import { checkArguments } from '../work/check-arguments.ts'
import { toFailed } from '../work/to-result.ts'
import { decideReview, reviewForPerson } from './app-tools.ts'
import { createChallenges } from './challenges.ts'
import { decide } from './decide.ts'
import type { FrameCall } from './frame-call.ts'
import { showPage } from './show-page.ts'

/** The review in a frame of the host, for one agent. */
export interface ReviewApp {
  /** The page, with the key of its proofs; undefined where none was built. */
  page(): string | undefined
  /** Undefined where the tool is none of the frame's. */
  call(
    tool: ToolDeclaration,
    given: Readonly<Record<string, unknown>>,
    host: string,
  ): Promise<CallToolResult> | undefined
}

const KEY_MARK = 'FILEWRIGHT_REVIEW_KEY'

export function createReviewApp(agent: Agent): ReviewApp {
  const challenges = createChallenges(agent.formKey)
  return {
    page() {
      return readWebPage('review-app.html')?.replace(KEY_MARK, challenges.key)
    },
    call(tool, given, host) {
      const handler = handlers[tool.name]
      if (!handler) return undefined
      const checked = checkArguments(tool, given)
      if (!checked.ok) return Promise.resolve(toFailed(checked.failure))
      return handler({ agent, challenges, host }, checked.value)
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the input schema of the tool checked it
type Handler = (call: FrameCall, given: any) => Promise<CallToolResult>

const handlers: Readonly<Record<string, Handler>> = {
  [reviewForPerson.name]: showPage,
  [decideReview.name]: decide,
}
