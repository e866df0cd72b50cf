import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findWebRoot } from '@filewright/host'
import type { ToolDeclaration } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import { checkArguments } from '../work/check-arguments.ts'
import { toFailed } from '../work/to-result.ts'
import { decideReview, reviewForPerson } from './app-tools.ts'
import { type Challenges, createChallenges } from './challenges.ts'
import { decide } from './decide.ts'
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
      const webRoot = findWebRoot()
      const html = webRoot && readIfThere(join(webRoot, 'review-app.html'))
      return html?.replace(KEY_MARK, challenges.key)
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

/** A call of the frame, for one agent in one host. */
export interface FrameCall {
  readonly agent: Agent
  readonly challenges: Challenges
  readonly host: string
}

// biome-ignore lint/suspicious/noExplicitAny: the input schema of the tool checked it
type Handler = (call: FrameCall, given: any) => Promise<CallToolResult>

const handlers: Readonly<Record<string, Handler>> = {
  [reviewForPerson.name]: showPage,
  [decideReview.name]: decide,
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // not built, as the caller says
  }
}
