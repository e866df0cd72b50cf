import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'

/** The body as it was meant: some gateways pack it although we ask them not to. */
export async function unpack(response: IncomingMessage): Promise<Readable> {
  const packing = response.headers['content-encoding']?.trim().toLowerCase()
  if (!packing || packing === 'identity') return response
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  const unpacking = packing === 'br' ? createBrotliDecompress() : createUnzip()
  pipeline(response, unpacking, () => {}) // the reader hears of a break from the stream itself
  return unpacking
}
