/**
 * The `data:` of server-sent events, without comments and other fields. The signal ends it here, at the reader: a
 * request holds its own signal weakly, so without a socket an abort may never reach the stream once it was collected.
 */
export async function* eventData(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(body, signal)) {
    text += decoder.decode(chunk, { stream: true })
    let end = text.indexOf('\n\n')
    while (end >= 0) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(line[5] === ' ' ? 6 : 5))
        .join('\n')
      text = text.slice(end + 2)
      if (data !== '') yield data
      end = text.indexOf('\n\n')
    }
  }
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {}) // a broken stream needs no cancelling
  signal?.addEventListener('abort', cancel)
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}
