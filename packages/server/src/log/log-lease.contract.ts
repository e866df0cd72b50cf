import { type SessionId, unwrap } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  begin,
  countTo,
  newSession,
  SESSION,
  sleep,
  steer,
  takeOver,
  textOf,
} from '../testing/log-lines.ts'
import type { LogUnderTest } from './log.contract.ts'
import type { Lease, NewLine, SessionLog } from './log.ts'
import { holdSession } from './log-holder.ts'

/** How every session log is held by one writer at a time, which numbers its rows. `make` gives a new, empty one. */
export function leaseContract(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`${name} is held`, () => {
    let made: LogUnderTest
    let log: SessionLog
    let lease: Lease
    beforeEach(async () => {
      made = await make()
      ;({ log } = made)
      lease = await begin(log, SESSION)
    })
    const append = async (...lines: NewLine[]) => unwrap(await log.append(lease, lines))

    verifies(
      'CONTRACT §7 lease holder appends',
      'only the holder of the lease appends; one who lost it is refused',
      async () => {
        const short = unwrap(await log.claim((await newSession(log)).sessionId, 'first', 1))
        await sleep(20)
        const second = unwrap(await log.claim(short.sessionId, 'second'))
        expect(await log.append(short, [steer('late')])).toMatchObject({
          failure: { code: 'LEASE_LOST', kind: 'unavailable' },
        })
        const late = log.appendNow(short, [steer('late')])
        expect(await late.kept).toMatchObject({ failure: { code: 'LEASE_LOST' } })
        unwrap(await log.append(second, [steer('mine')]))
        expect(await log.read(short.sessionId)).toHaveLength(1)
        expect(await log.renew(short)).toMatchObject({ failure: { code: 'LEASE_LOST' } })
      },
    )

    test('while a lease lives no one else gets one, not even its holder a second', async () => {
      for (const holder of ['other', lease.holder])
        expect(await log.claim(SESSION, holder)).toMatchObject({
          failure: { code: 'LOCKED', details: { holder: lease.holder } },
        })
    })

    test('of many claimants one gets the lease', async () => {
      const { sessionId } = await newSession(log)
      const claims = await Promise.all(countTo(20).map(i => log.claim(sessionId, `holder ${i}`)))
      expect(claims.filter(claim => claim.ok)).toHaveLength(1)
    })

    test("a lease lives for the log's own time unless asked otherwise", async () => {
      const { sessionId } = await newSession(log)
      const begun = Date.now()
      const { expires } = unwrap(await log.claim(sessionId, 'first'))
      expect(expires - begun).toBeGreaterThanOrEqual(log.leaseMs)
      const renewed = unwrap(
        await log.renew(unwrap(await log.claim((await newSession(log)).sessionId, 'x', 1))),
      )
      expect(renewed.expires - begun).toBeGreaterThanOrEqual(log.leaseMs)
    })

    test('a renewed lease outlives its first time', async () => {
      const { sessionId } = await newSession(log)
      const short = unwrap(await log.claim(sessionId, 'first', 600))
      unwrap(await log.renew(short, 60_000))
      await sleep(700)
      expect((await log.claim(sessionId, 'second')).ok).toBe(false)
    })

    test('a released lease is free at once, and its holder is shut out', async () => {
      await log.release(lease)
      expect((await log.append(lease, [steer('late')])).ok).toBe(false)
      unwrap(await log.claim(SESSION, 'next'))
    })

    test('a release under a past epoch frees nothing', async () => {
      const next = await takeOver(log, lease, lease.holder) // also under the same name
      await log.release(lease)
      expect(await log.claim(SESSION, 'third')).toMatchObject({ failure: { code: 'LOCKED' } })
      unwrap(await log.append(next, [steer('mine')]))
      await log.release(next)
      await log.release(next)
      unwrap(await log.claim(SESSION, 'third'))
    })

    test('an append that cannot be kept ends the lease, and those after it fail with it', async () => {
      await append(steer('a'))
      made.breakDown()
      const appending = ['b', 'c', 'd'].map(text => log.appendNow(lease, [steer(text)]))
      expect(appending.map(({ rows }) => rows[0]!.seq)).toEqual([2, 3, 4])
      const kept = await Promise.allSettled(appending.map(each => each.kept))
      expect(kept.map(each => each.status === 'fulfilled' && each.value.ok)).not.toContain(true)
      made.mend()
      const lost = { failure: { code: 'LEASE_LOST' } }
      expect(await log.append(lease, [steer('e')])).toMatchObject(lost)
      expect(await log.appendNow(lease, [steer('e')]).kept).toMatchObject(lost)
      expect(await log.renew(lease)).toMatchObject(lost)

      const again = unwrap(await log.claim(SESSION, lease.holder)) // whoever saw it need not wait for its time
      const before = (await log.read(SESSION)).map(textOf)
      expect(['a', 'b', 'c', 'd'].slice(0, before.length)).toEqual(before)
      unwrap(await log.append(again, [steer('f')]))
      const rows = await log.read(SESSION)
      expect(rows.map(textOf)).toEqual([...before, 'f'])
      expect(rows.map(row => row.seq)).toEqual(countTo(rows.length))
    })

    test('while the lease of one session ends so, others are appended to', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      made.breakDown()
      const [failed] = await Promise.allSettled([log.append(lease, [steer('a')])])
      made.mend()
      expect(failed).not.toMatchObject({ value: { ok: true } })
      expect(unwrap(await log.append(other, [steer('b')])).rows[0]!.seq).toBe(1)
    })

    test('a held session renews itself until it is released', async () => {
      const { sessionId } = await newSession(log)
      const held = unwrap(await holdSession(log, sessionId, 'me', 2_400))
      await sleep(3_000)
      expect((await log.claim(sessionId, 'other')).ok).toBe(false)
      await held.release()
      expect((await log.claim(sessionId, 'other')).ok).toBe(true)
      expect(held.lost.aborted).toBe(false)
    })

    test('a held session reports when it is lost', async () => {
      const { sessionId } = await newSession(log)
      const held = unwrap(await holdSession(log, sessionId, 'me', 60_000))
      await takeOver(log, held.lease, 'other')
      expect(await held.append([steer('late')])).toMatchObject({ failure: { code: 'LEASE_LOST' } })
      expect(held.lost.aborted).toBe(true)
    })

    test('a held session whose append fails is lost and free', async () => {
      const { sessionId } = await newSession(log)
      const held = unwrap(await holdSession(log, sessionId, 'me', 60_000))
      made.breakDown()
      const [kept] = await Promise.allSettled([held.appendNow([steer('a')]).kept])
      made.mend()
      expect(kept).not.toMatchObject({ value: { ok: true } })
      expect(held.lost.aborted).toBe(true)
      const again = unwrap(await holdSession(log, sessionId, 'me', 60_000))
      unwrap(await again.append([steer('b')]))
      await again.release()
    })

    test('a session that does not exist cannot be claimed', async () => {
      expect(await log.claim('ses_none' as SessionId, 'me')).toMatchObject({
        failure: { code: 'NOT_FOUND' },
      })
    })
  })
}
