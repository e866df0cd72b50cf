import { describe, expect } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { type Seen, windowServer } from '../window-server.ts'
import { bodies, runTo } from './running.ts'

const IS_FULL = process.env.FILEWRIGHT_FULL === '1'
const READS = IS_FULL ? 300 : 32
const WINDOWS = IS_FULL ? [8_000, 16_000, 32_000, 128_000] : [8_000, 32_000]
const MOST_SUMMARIES = IS_FULL ? 73 : 8

const TASK = 'Read every file in order and tell me what they have in common. TASK-OF-THE-PERSON.'
const SECOND = 'And remember this: FACT colour is vermilion.'

describe.each(WINDOWS)('reads of 20 KB in a window of %i tokens', size => {
  verifies(
    'ADR-0010 §Positive any size',
    'never exceed it, keep the task and every pair, and lose no fact',
    async () => {
      const ids: string[] = []
      const server = await windowServer(size, (step, seen) => {
        if (step === 0) return { text: 'What else?' }
        const holder = seen.messages.find(
          ({ role, content }) => role === 'tool' && content.includes('FACT number'),
        )
        if (holder) ids.push(holder.tool_call_id!)
        const read = step - 1
        if (read < READS) return { text: '', call: ['read_file', partOf(read)] }
        if (read === READS)
          return { text: '', call: ['recall_tool_result', { id: ids[0], offset: 0 }] }
        return { text: 'All of them have words in common.' }
      })
      const { model } = server
      const product = await embedded(files(), { model, limits: { turnsPerRun: 400 } })
      await runTo(product, TASK)
      const { end, rows } = await runTo(product, SECOND)

      expect(end.reason).toBe('final')
      expect(server.overWindow).toBe(0)
      expect(server.brokenPairs).toBe(0)
      const asked = server.seen.filter(({ isSummary }) => !isSummary)
      expect(asked.filter(({ text }) => !text.includes('TASK-OF-THE-PERSON'))).toEqual([])
      const last = asked.at(-1)!
      expect(said(last)).toContain(SECOND)
      expect(last.text).toContain('FACT number is eleven')
      const recalled = bodies(rows, 'tool_result').at(-1)!
      expect(recalled.content).toContain('FACT number is eleven')
      const summaries = bodies(rows, 'compaction').filter(({ summary }) => summary)
      if (size === 32_000) expect(summaries.length).toBeLessThanOrEqual(MOST_SUMMARIES)
      report(size, server.seen, bodies(rows, 'compaction').length, summaries.length)
    },
    { timeout: 600_000 },
  )
})

const FILES = 20 // few, because the names of many would fill a small window
const LINES = 298
const LINE = 'A line of words that says nothing in particular, again and again.\n'

function files(): Record<string, string> {
  const part = (index: number) => {
    const fact = index === 29 ? 'FACT number is eleven.\n' : `Part ${index} begins.\n`
    return `${fact}${LINE.repeat(LINES - 1)}`
  }
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => {
      const parts = Array.from({ length: READS / FILES + 1 }, (_, at) => part(at * FILES + file))
      return [`part-${file}.txt`, parts.join('')]
    }),
  )
}

function partOf(read: number) {
  const line_start = Math.floor(read / FILES) * LINES + 1
  return { path: `part-${read % FILES}.txt`, line_start, line_count: LINES }
}

/** The person's messages, each whole. */
function said({ messages }: Seen): string[] {
  return messages.flatMap(({ role, content }) => (role === 'user' ? content.split('\n\n') : []))
}

function report(size: number, seen: readonly Seen[], compactions: number, summaries: number): void {
  if (!IS_FULL) return
  const tokens = seen.reduce((total, one) => total + one.tokens, 0)
  console.log(
    `${size}: ${seen.length} requests, ${tokens} tokens, ${compactions - summaries} × receipts, ${summaries} summaries`,
  )
}
