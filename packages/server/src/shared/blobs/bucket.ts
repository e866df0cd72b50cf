import { createHash } from 'node:crypto'
import type { AwsClient } from 'aws4fetch'
import { StoreAway } from '../../store/store-away.ts'

/** Where the bucket is, and with which key. */
export interface BucketPlace {
  /** The address of the bucket itself, without a slash at its end. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Objects of a bucket. Each name is written once. */
export interface Bucket {
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined: there is no such object. `end` is not included. */
  get(name: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>
  /** An object that is gone already is no failure. */
  delete(name: string): Promise<void>
  /** Throws, with the reason, when the bucket cannot be used. */
  check(): Promise<void>
}

const ATTEMPTS = 8
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
const ANSWER_MS = 60_000

/** The library is loaded here, so that a start without a bucket does not pay for it. */
export async function openBucket({ url, ...place }: BucketPlace): Promise<Bucket> {
  const { AwsClient } = await import('aws4fetch')
  const client = new AwsClient({ ...place, service: 's3', retries: 0 })
  const addressOf = (name: string) => `${url}/${name}`

  const bucket: Bucket = {
    async put(name, bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const answer = await send(client, addressOf(name), {
        method: 'PUT',
        body: bytes as Uint8Array<ArrayBuffer>,
        // the server compares the bytes that arrived with this
        headers: { 'x-amz-content-sha256': sha256, 'content-length': String(bytes.length) },
      })
      expectOk(answer, `store ${name}`)
    },
    async get(name, range) {
      if (range && range.end <= range.start) return new Uint8Array()
      const headers = range && { range: `bytes=${range.start}-${range.end - 1}` }
      const answer = await send(client, addressOf(name), { method: 'GET', headers })
      if (answer.status === 404) return undefined
      expectOk(answer, `read ${name}`)
      return answer.bytes
    },
    async delete(name) {
      const answer = await send(client, addressOf(name), { method: 'DELETE' })
      if (answer.status !== 404) expectOk(answer, `delete ${name}`)
    },
    async check() {
      const name = 'filewright-check'
      await bucket.put(name, new TextEncoder().encode('This bucket is used by Filewright.\n'))
      await bucket.get(name)
    },
  }
  return bucket
}

interface Answer {
  readonly status: number
  readonly statusText: string
  readonly bytes: Uint8Array
}

/** Everything sent here may be sent twice. A connection can end in the middle of an answer too, so all of it is read here. */
async function send(client: AwsClient, url: string, init: RequestInit): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await client.fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })
      const { status, statusText } = answer
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (attempt === ATTEMPTS || !mayPass(status)) return { status, statusText, bytes }
    } catch (error) {
      if (attempt === ATTEMPTS) throw new StoreAway(error, 'bucket')
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
    await new Promise(resolve => setTimeout(resolve, pause * (0.5 + Math.random())))
  }
}

function mayPass(status: number): boolean {
  return status === 429 || status >= 500
}

function expectOk({ status, statusText, bytes }: Answer, what: string): void {
  if (status >= 200 && status < 300) return
  const code = /<Code>([^<]*)<\/Code>/.exec(new TextDecoder().decode(bytes))?.[1] ?? statusText
  const refusal = new Error(`The bucket refused to ${what}: ${status} ${code}`)
  throw mayPass(status) ? new StoreAway(refusal, 'bucket') : refusal
}
