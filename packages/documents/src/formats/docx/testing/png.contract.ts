import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Operation, Sha256 } from '@filewright/protocol'
import { logged } from './zoo.contract.ts'

/** A picture in one colour. */
export function png(width: number, height: number, dotsPerMetre?: number): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x99)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const physical = Buffer.alloc(9)
  physical.writeUInt32BE(dotsPerMetre ?? 0, 0)
  physical.writeUInt32BE(dotsPerMetre ?? 0, 4)
  physical[8] = 1
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(dotsPerMetre === undefined ? [] : [chunk('pHYs', physical)]),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(name), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Operations that name one other file, as a log pins it, with its bytes. */
export function loggedWith(path: string, bytes: Uint8Array, operations: readonly Operation[]) {
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256
  return {
    operations: logged(operations).map(entry => ({ ...entry, inputs: { [path]: sha256 } })),
    inputs: { [sha256]: bytes },
  }
}
