import type { WorkspaceId } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import type { SearchIndex } from './search-index.ts'
import { wordsOf } from './search-words.ts'

const W = 'wks_1' as WorkspaceId
const OTHER = 'wks_2' as WorkspaceId

const file = (path: string, sha256 = 'a') => ({
  docPath: path.toLowerCase(),
  path,
  sha256,
  sizeBytes: 10,
  modified: '2026-01-31T12:00:00.000Z',
})

const chunk = (place: string, text: string, symbol?: string) => ({
  place,
  text,
  lineStart: 1,
  lineEnd: 3,
  ...(symbol && { symbol }),
})

const TAXES = {
  language: 'csharp',
  chunks: [
    chunk('method:CalculateTaxes', 'decimal CalculateTaxes(Order order) { … }', 'CalculateTaxes'),
    chunk('method:Ship', 'void Ship(Order order) { log("an order of taxes") }', 'Ship'),
  ],
}

/** Every search index. */
export function searchIndexContract(name: string, open: () => Promise<SearchIndex>): void {
  describe(name, () => {
    const filled = async () => {
      const index = await open()
      await index.put(W, file('Src/Billing.cs'), TAXES)
      await index.put(W, file('docs/ship.md'), {
        language: 'markdown',
        chunks: [
          chunk('section:Shipping', '# Shipping\nOrders are shipped on Mondays.', 'Shipping'),
        ],
      })
      const places = async (query: string) =>
        (await index.search(W, wordsOf(query), 10)).map(({ place }) => place)
      return { index, places }
    }

    test('finds words in any form, and a name before a text', async () => {
      const { places } = await filled()
      expect((await places('how is a tax calculated?'))[0]).toBe('method:CalculateTaxes')
      expect((await places('what is shipped on Mondays'))[0]).toBe('section:Shipping')
      expect(await places('calculateTaxes')).toContain('method:CalculateTaxes')
      expect(await places('nowhere "to* be OR (found')).toEqual([])
    })

    test('gives all that a snippet needs', async () => {
      const { index } = await filled()
      expect((await index.search(W, ['mondays'], 1))[0]).toEqual({
        docPath: 'docs/ship.md',
        path: 'docs/ship.md',
        language: 'markdown',
        place: 'section:Shipping',
        symbol: 'Shipping',
        lineStart: 1,
        lineEnd: 3,
        text: '# Shipping\nOrders are shipped on Mondays.',
      })
    })

    test('replaces what it had of a file, and forgets one that is gone', async () => {
      const { index, places } = await filled()
      await index.put(W, file('Src/Billing.cs', 'b'), {
        language: 'csharp',
        chunks: [chunk('method:Refund', 'void Refund() {}', 'Refund')],
      })
      expect(await places('taxes')).toEqual([])
      expect(await places('refund')).toEqual(['method:Refund'])
      expect((await index.files(W)).get('src/billing.cs')).toEqual(file('Src/Billing.cs', 'b'))
      await index.remove(W, ['src/billing.cs', 'never/there.cs'])
      expect(await places('refund')).toEqual([])
      expect([...(await index.files(W)).keys()]).toEqual(['docs/ship.md'])
    })

    test('keeps the chunks of a file that was only touched', async () => {
      const { index, places } = await filled()
      const touched = { ...file('docs/Ship.md'), modified: '2026-02-01T00:00:00.000Z' }
      await index.touch(W, touched)
      expect((await index.files(W)).get('docs/ship.md')).toEqual(touched)
      expect(await places('mondays')).toEqual(['section:Shipping'])
    })

    test('knows where a symbol is defined, in any case', async () => {
      const { index } = await filled()
      const found = await index.definitions(W, 'calculatetaxes', 10)
      expect(found.map(({ docPath, place }) => [docPath, place])).toEqual([
        ['src/billing.cs', 'method:CalculateTaxes'],
      ])
      expect(await index.definitions(W, 'Calculate', 10)).toEqual([])
    })

    test('shows no workspace the files of another', async () => {
      const { index } = await filled()
      expect(await index.search(OTHER, ['taxes'], 10)).toEqual([])
      expect(await index.definitions(OTHER, 'Ship', 10)).toEqual([])
      expect((await index.files(OTHER)).size).toBe(0)
    })
  })
}
