import { labelOf, type ToolDeclaration } from '@filewright/protocol'
import type { ServerContext } from '@modelcontextprotocol/server'

const FIRST_MS = 1_000
const EVERY_MS = 2_000

/** Tells the host that a call is still under way, if it asked for that; most calls end before the first word. */
export async function withProgress<Value>(
  { mcpReq }: ServerContext,
  tool: ToolDeclaration,
  given: unknown,
  work: () => Promise<Value>,
): Promise<Value> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  let progress = 0
  const tell = () => {
    progress++
    const params = { progressToken, progress, message: labelOf(tool, given) }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}) // the host went away
  }
  let repeat: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    tell()
    repeat = setInterval(tell, EVERY_MS)
  }, FIRST_MS)
  try {
    return await work()
  } finally {
    clearTimeout(first)
    clearInterval(repeat)
  }
}
