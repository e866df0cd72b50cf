const LINE_BYTES = 16 * 1024 * 1024 // the packages scan a line again with each piece of it
const ANSWER_BYTES = 128 * 1024 * 1024 // a hundred thousand tokens, each wrapped in a kilobyte

const NEWLINE = 10

/** A web page instead of an answer: the address is wrong. */
export class PageInstead extends Error {}

/** An answer that does not end, on a server that lets it. */
export class Endless extends Error {}

/**
 * The `fetch` of the providers' packages. It does not follow a redirect, but returns it like any answer: following it would
 * send the key to whatever host it names, since only `authorization` is dropped on the way and most keys have a header of their own.
 */
export const fetchHere: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (!response.body) return response
  if (response.ok && /^text\/html/i.test(response.headers.get('content-type') ?? '')) {
    await response.body.cancel()
    throw new PageInstead('a web page')
  }
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bounded()), { status, statusText, headers })
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let received = 0
  let line = 0
  return new TransformStream({
    transform(bytes, controller) {
      const lineEnd = bytes.lastIndexOf(NEWLINE)
      received += bytes.length
      line = lineEnd === -1 ? line + bytes.length : bytes.length - 1 - lineEnd
      if (received > ANSWER_BYTES || line > LINE_BYTES)
        controller.error(new Endless('more than any answer has'))
      else controller.enqueue(bytes)
    },
  })
}
