import { beforeEach, describe, expect, test } from 'vitest'
import type { LineLogs } from './line-logs.ts'

const LOG = 'drafts/open/a.jsonl'

/** What all logs of lines do. `make` gives how to open new, empty ones, and to open them again later. */
export function lineLogsContract(name: string, make: () => () => Promise<LineLogs>): void {
  describe(name, () => {
    let open: () => Promise<LineLogs>
    let logs: LineLogs
    beforeEach(async () => {
      open = make()
      logs = await open()
    })

    test('lines are read as they were appended, alone or together, even later', async () => {
      expect(await logs.read(LOG)).toEqual([])
      await logs.append(LOG, [{ n: 1 }])
      await logs.append(LOG, [{ n: 2 }, { n: 3 }])
      const all = [{ n: 1 }, { n: 2 }, { n: 3 }]
      expect(await logs.read(LOG)).toEqual(all)
      expect(await (await open()).read(LOG)).toEqual(all)
    })

    test('lines are written in the order asked, and durable when `kept` resolves', async () => {
      const numbers = Array.from({ length: 20 }, (_, n) => n)
      const begun = await Promise.all(numbers.map(n => logs.begin(LOG, [{ n }])))
      const lines = numbers.map(n => ({ n }))
      expect(await logs.read(LOG)).toEqual(lines)
      await Promise.all(begun.map(({ kept }) => kept))
      expect(await (await open()).read(LOG)).toEqual(lines)
    })

    test('a log is listed in its folder, moved and removed, and reading creates none', async () => {
      expect(await logs.list('drafts/open')).toEqual([])
      for (const each of ['b', 'a']) await logs.append(`drafts/open/${each}.jsonl`, [{ each }])
      expect(await logs.list('drafts/open')).toEqual(['a.jsonl', 'b.jsonl'])
      await logs.move(LOG, 'drafts/closed/a.jsonl')
      expect(await logs.list('drafts/open')).toEqual(['b.jsonl'])
      expect(await logs.read('drafts/closed/a.jsonl')).toEqual([{ each: 'a' }])
      await logs.append(LOG, [{ again: true }]) // another log of the same name
      expect(await logs.read(LOG)).toEqual([{ again: true }])
      await logs.remove('drafts/open/b.jsonl')
      await logs.remove('drafts/open/none.jsonl')
      expect(await logs.list('drafts/open')).toEqual(['a.jsonl'])
    })

    test('a replaced log has only the new lines, and keeps growing', async () => {
      for (let n = 0; n < 5; n++) await logs.append(LOG, [{ n }])
      await logs.replace(LOG, [{ n: 'x' }, { n: 'y' }])
      await logs.append(LOG, [{ n: 'z' }])
      expect(await logs.read(LOG)).toEqual([{ n: 'x' }, { n: 'y' }, { n: 'z' }])
    })

    test('a line of another kind is counted as lost, and the log is set aside unchanged', async () => {
      await logs.append('rules.jsonl', [{ n: 1 }])
      await logs.append('rules.jsonl', [{ n: 2 }, { other: true }])
      await logs.append('rules.jsonl', [{ n: 3 }])
      const salvaged = await logs.salvage('rules.jsonl', isNumbered)
      expect(salvaged).toMatchObject({ lines: [{ n: 1 }, { n: 3 }], lost: 1 })
      expect(salvaged.keptAs).toContain('damaged/rules')
      await logs.replace('rules.jsonl', salvaged.lines)
      expect(await logs.salvage('rules.jsonl', isNumbered)).toMatchObject({ lost: 0, keptAs: null })
      expect(await logs.salvage('none.jsonl', isNumbered)).toMatchObject({ lines: [], lost: 0 })
    })

    test('the text of a log contains everything its lines name', async () => {
      await logs.append(LOG, [{ base: 'abc' }, { base: 'def' }])
      expect(await logs.readText(LOG)).toMatch(/abc.*def/s)
      expect(await logs.readText('none.jsonl')).toBe('')
    })
  })
}

function isNumbered(line: unknown): line is { n: number } {
  return typeof (line as { n?: unknown }).n === 'number'
}
