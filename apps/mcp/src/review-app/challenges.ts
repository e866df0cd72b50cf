import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a person saw, and may decide on. */
export interface Seen {
  readonly draftId: string
  readonly revision: number
}

/** Questions to the frame: each is good for one answer, about one draft as it was seen. */
export interface Challenges {
  /** Stands in the page of the frame alone: the model reads neither. */
  readonly key: string
  mint(seen: Seen): string
  /** What was seen, if the proof is one of the frame's for exactly these words; the challenge is used up either way. */
  redeem(challenge: string, words: string, proof: string): Seen | undefined
}

const TTL_MS = 60 * 60_000 // a person looks at a long review meanwhile; a new one is a click away
const MOST_OPEN = 100

export function createChallenges(formKey: Uint8Array): Challenges {
  const key = createHmac('sha256', formKey).update('review app').digest('hex')
  const open = new Map<string, Seen & { readonly until: number }>()
  return {
    key,
    mint(seen) {
      const challenge = randomBytes(16).toString('hex')
      open.set(challenge, { ...seen, until: Date.now() + TTL_MS })
      if (open.size > MOST_OPEN) open.delete(open.keys().next().value!)
      return challenge
    },
    redeem(challenge, words, proof) {
      const seen = open.get(challenge)
      open.delete(challenge)
      if (!seen || seen.until < Date.now()) return undefined
      const wanted = createHmac('sha256', key).update(words).digest()
      const given = Buffer.from(proof, 'hex')
      const isProof = given.length === wanted.length && timingSafeEqual(given, wanted)
      return isProof ? seen : undefined
    },
  }
}
