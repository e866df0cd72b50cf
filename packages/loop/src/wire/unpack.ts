import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'

/** The body, decompressed: some gateways compress it although we ask them not to. */
export async function unpack(response: IncomingMessage): Promise<Readable> {
  const packing = response.headers['content-encoding']?.trim().toLowerCase()
  if (!packing || packing === 'identity') return response
  const { createBrotliDecompress, createUnzip } = await import('node:zlib')
  const unpacking = packing === 'br' ? createBrotliDecompress() : createUnzip()
  pipeline(response, unpacking, () => {}) // the stream itself reports a break to its reader
  return unpacking
}
