import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** What keys on the disk are encrypted with. Without `current` they are kept as they are, for their user alone. */
export interface Secrets {
  /** FILEWRIGHT_SECRET */
  readonly current?: string
  /** FILEWRIGHT_SECRET_OLD: opens what was sealed before the last change, and seals nothing. */
  readonly old?: string
}

/** Fewer could be found by trying. */
export const SHORTEST_SECRET = 32

const MARK = 'sealed:1'
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function isSealed(text: string): boolean {
  return text.startsWith(`${MARK}:`)
}

/** With the name of its setting, so that a sealed text opens in its own place alone. */
export function seal(text: string, name: string, secret: string): string {
  const key = keyOf(secret)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
  const whole = Buffer.concat([sealed, cipher.getAuthTag()])
  return `${MARK}:${idOf(key)}:${whole.toString('base64url')}`
}

/** Undefined: it was sealed with another secret, for another setting, or is damaged. */
export function open(sealed: string, name: string, { current, old }: Secrets): string | undefined {
  const [, , keyId, body = ''] = sealed.split(':')
  const key = [current, old]
    .flatMap(secret => (secret === undefined ? [] : [keyOf(secret)]))
    .find(each => idOf(each) === keyId)
  const bytes = Buffer.from(body, 'base64url')
  if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** A secret is long and random, so no slow hash is needed. */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'filewright settings', KEY_BYTES))
}

/** Tells which key a text was sealed with, and nothing about the key. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('filewright key id').update(key).digest('hex').slice(0, 12)
}
