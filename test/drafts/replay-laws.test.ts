import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { toWithdrawal } from '../../packages/documents/src/withdrawal.ts'
import { bytesOf, KINDS, randomDraft, replayed } from './random-drafts.ts'

const DRAFTS = IS_FULL ? 10_000 : 300
const kinds = Object.keys(KINDS)
const AT_ONCE = IS_FULL ? 100 : 25
const rounds = kinds.flatMap(kind =>
  Array.from({ length: Math.ceil(DRAFTS / kinds.length / AT_ONCE) }, (_, round) => ({
    kind,
    first: round * AT_ONCE + 1,
  })),
)

describe('a draft that was accepted is never refused by its replay', () => {
  test.each(rounds)('$kind from seed $first', { timeout: 3_600_000 }, round => {
    const kind = KINDS[round.kind]!
    for (let seed = round.first; seed < round.first + AT_ONCE; seed++) {
      const draft = randomDraft(kind, seed)
      const asked = `${round.kind}, seed ${seed}: ${JSON.stringify(draft.log.map(own => own.operation))}`
      for (const format of [kind.format, ...(kind.plain ? [kind.plain] : [])]) {
        const { refused, strayed } = replayed(kind, format, draft)
        expect({ refused, strayed }, asked).toEqual({ refused: '', strayed: [] })
      }
      const same = replayed(kind, kind.format, draft)
      expect(same.changes, asked).toEqual(draft.live.changes())
      expect(Buffer.compare(same.bytes, bytesOf(draft.live, draft.base)), asked).toBe(0)
      if (draft.log.length === 0) continue
      const some = same.changes.map(({ id }) => id).filter((_, i) => (i * 7 + seed) % 3 === 0)
      const narrowed = kind.format.replay(draft.base, draft.log, new Set(some), kind.name)
      expect(narrowed.ok ? '' : narrowed.failure.message, asked).toBe('')
      const log = [...draft.log, toWithdrawal(some, draft.log[0]!)]
      expect(replayed(kind, kind.format, { ...draft, log }), asked).toMatchObject({
        refused: '',
        strayed: [],
      })
    }
  })
})
