import { fail, type Sha256 } from '@filewright/protocol'

export function tooLarge(maxBytes: number) {
  return fail(
    'TOO_LARGE',
    `Nothing was kept: the content is larger than ${maxBytes} bytes, the limit for one blob.`,
    { details: { maxBytes } },
  )
}

export function hashMismatch(expected: Sha256, found: string) {
  return fail(
    'HASH_MISMATCH',
    `Nothing was kept: the bytes hash to ${found}, not to ${expected}. Send them again from offset 0, or name their actual hash.`,
    { kind: 'invalid', details: { expected, found } },
  )
}

export function uploadElsewhere(sha256: Sha256, offset: number, at: number) {
  return fail(
    'CONFLICT',
    `Cannot continue the upload of ${sha256} at offset ${offset}: the next offset is ${at}. Send the bytes from there.`,
    { details: { offset: at } },
  )
}

export function uploadLocked(sha256: Sha256) {
  return fail(
    'LOCKED',
    `Cannot take this part of ${sha256}: another request is sending the same blob. Ask for the offset when it has ended.`,
  )
}

export function noUpload(sha256: Sha256) {
  return fail(
    'NOT_FOUND',
    `Cannot finish the upload of ${sha256}: no part of it has arrived. Send its bytes from offset 0.`,
  )
}
