import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../../../apps/web/src/host-review/hmac.ts'

test('it is what Node computes, for every length around a block and for any text', () => {
  const keys = ['', 'k', 'ä'.repeat(40), 'x'.repeat(64), 'y'.repeat(65)]
  const messages = Array.from({ length: 131 }, (_, length) => 'm'.repeat(length))
  for (const key of keys)
    for (const message of [...messages, '漢字 and "quotes"\n', 'z'.repeat(5_000)])
      expect(hmacSha256(key, message)).toBe(createHmac('sha256', key).update(message).digest('hex'))
})
