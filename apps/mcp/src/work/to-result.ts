import type { Caller } from '@filewright/host'
import { type Failure, type ShownResult, toFailureText } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'

type Content = CallToolResult['content'][number]

/** What a model reads, and the same once more as data where that is not much longer. */
export function toResult(text: string, { isError = false } = {}): CallToolResult {
  const structuredContent = toStructured(text)
  return {
    content: [{ type: 'text', text }],
    ...(structuredContent && { structuredContent }),
    ...(isError && { isError }),
  }
}

export function toFailed(failure: Failure): CallToolResult {
  return toResult(toFailureText(failure), { isError: true })
}

/** With its pictures, for a model that sees. */
export async function toShownResult(
  { text, success, images = [] }: ShownResult,
  { connection, params }: Pick<PictureSource, 'connection' | 'params'>,
): Promise<CallToolResult> {
  const result = toResult(text, { isError: !success })
  if (images.length === 0) return result
  const pictures = await Promise.all(
    images.map(async ({ sha256, mediaType }): Promise<Content | undefined> => {
      const response = await connection.open('getBlob', { params: { ...params, sha256 } })
      if (!response.ok) return undefined
      const bytes = Buffer.from(await response.arrayBuffer())
      return { type: 'image', data: bytes.toString('base64'), mimeType: mediaType }
    }),
  )
  return { ...result, content: [...result.content, ...pictures.filter(isThere)] }
}

interface PictureSource {
  readonly connection: Pick<Caller, 'open'>
  readonly params: { readonly workspaceId: string }
}

const MOST_TIMES = 1.2 // a host may show its model this in place of the text, so it costs no more

function toStructured(text: string): Record<string, unknown> | undefined {
  const most = MOST_TIMES * Buffer.byteLength(text)
  const parsed = parseObject(text)
  if (parsed) return Buffer.byteLength(JSON.stringify(parsed)) <= most ? parsed : undefined
  return Buffer.byteLength(text) + escapes(text) + FRAME_BYTES <= most ? { text } : undefined
}

const FRAME_BYTES = '{"text":""}'.length

/** How many bytes its JSON is longer. */
function escapes(text: string): number {
  let more = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 || code === 0x5c || (code >= 0x08 && code <= 0x0d && code !== 0x0b)) more++
    else if (code < 0x20) more += 5
  }
  return more
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function isThere(content: Content | undefined): content is Content {
  return content !== undefined
}
