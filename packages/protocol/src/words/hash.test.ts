import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { parseVersion, resolveVersion, type Sha256, toVersion, type Version } from './hash.ts'
import { ok } from './result.ts'

const hashes = fc.string().map(sha256Of)

describe('a version', () => {
  verifies('CONTRACT §2 version is a prefix', 'is the beginning of the hash it abbreviates', () => {
    fc.assert(
      fc.property(hashes, fc.integer({ min: 8, max: 64 }), (hash, digits) => {
        expect(hash.startsWith(toVersion(hash))).toBe(true)
        expect(toVersion(hash)).toHaveLength(8)
        expect(resolveVersion(hash.slice(0, digits) as Version, [hash], 'a.txt')).toEqual(ok(hash))
      }),
    )
  })

  verifies('CONTRACT §2 version too short', 'of fewer than 8 hex digits is refused', () => {
    expect(parseVersion('abcdef0')).toMatchObject({
      failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('8 to 64 hex digits') },
    })
  })

  test.each(['', 'abcdefgh', `${'a'.repeat(64)}0`, 'abc defgh', '12|abcdef'])('is not %j', text =>
    expect(parseVersion(text)).toMatchObject({ failure: { kind: 'invalid' } }),
  )

  test('is taken in capitals and with space around it', () => {
    expect(parseVersion(' ABCDEF01 ')).toEqual(ok('abcdef01'))
  })

  verifies(
    'CONTRACT §2 version ambiguous',
    'that several hashes begin with is refused, and they are listed',
    () => {
      const known = ['a', 'b'].map(end => `01234567${end.repeat(56)}`) as Sha256[]
      expect(resolveVersion('01234567' as Version, known, 'src/a.ts')).toMatchObject({
        failure: {
          code: 'AMBIGUOUS_VERSION',
          kind: 'invalid',
          message: expect.stringContaining(known.join(', ')),
          details: { candidates: known },
        },
      })
      expect(resolveVersion('01234567a' as Version, known, 'src/a.ts')).toEqual(ok(known[0]))
    },
  )

  test('of a hash that occurs twice in the history is that hash', () => {
    const hash = sha256Of('a')
    expect(resolveVersion(toVersion(hash), [hash, sha256Of('b'), hash], 'a.txt')).toEqual(ok(hash))
  })

  test('that is unknown is a conflict that lists the known ones, newest first', () => {
    const known = ['new', 'old'].map(sha256Of)
    expect(resolveVersion('00000000' as Version, known, 'a.txt')).toMatchObject({
      failure: {
        code: 'CONFLICT',
        message: `No version 00000000 of "a.txt" is known; known versions are ${known.map(toVersion).join(', ')} (newest first).`,
      },
    })
    expect(resolveVersion('00000000' as Version, [], 'a.txt')).toMatchObject({
      failure: {
        message: 'No version 00000000 of "a.txt" is known. Read the file and use its version.',
      },
    })
  })
})

function sha256Of(text: string): Sha256 {
  return createHash('sha256').update(text).digest('hex') as Sha256
}
