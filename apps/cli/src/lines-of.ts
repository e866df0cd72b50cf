import type { Readable } from 'node:stream'

/** The lines of a stream of UTF-8 as they come, ended by LF or CRLF; a last one without its end counts too. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = rest + chunk.slice(start, end)
      rest = ''
      start = end + 1
      yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
    rest += chunk.slice(start)
  }
  if (rest !== '') yield rest
}
