import { counted, fail, LIMITS, ok, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import type { recallToolResult } from './tool.ts'

/** Characters per page: at most three bytes each in UTF-8, so a page stays within the limit of one result. */
const PAGE = Math.floor(LIMITS.resultBytes / 3) - 200

export const recallToolResultServer: ServerHandler<typeof recallToolResult, ServerContext> = async (
  { id, offset = 0 },
  { results },
) => {
  const whole = await results.read(id)
  if (whole === undefined)
    return fail(
      'NOT_FOUND',
      `No shortened result has the id "${id}". Use an id that a shortened result named in this session.`,
    )
  if (offset > whole.length)
    return fail(
      'NO_SUCH_REGION',
      `Cannot read the result ${id} from offset ${offset}: it has ${counted(whole.length, 'character')}. Send a smaller offset, or none to read from the start.`,
    )
  let end = Math.min(whole.length, offset + PAGE)
  if (end < whole.length && /[\ud800-\udbff]/.test(whole[end - 1]!)) end--
  const content = whole.slice(offset, end)
  const nextOffset = end < whole.length ? end : null
  return ok({
    fields: { id, offset, content, totalChars: whole.length, nextOffset },
    message: `Characters ${offset} to ${end} of ${whole.length}`,
    text: `${content}${nextOffset === null ? '' : `\n… ${counted(whole.length - end, 'character')} more; offset: ${nextOffset}`}`,
  })
}
