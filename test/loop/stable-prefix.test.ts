import type { ModelRequest } from '@filewright/loop'
import { expect } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { call, recorder, runTo, says } from './running.ts'

const MESSAGES = 5
const STEPS = 10 // for each message

verifies(
  'CONTRACT §7 prompt prefix stable',
  'in five messages and fifty steps that write files, each request repeats at least 90 % of the one before',
  async () => {
    const answers = Array.from({ length: MESSAGES }, (_, message) => [
      ...Array.from({ length: STEPS - 1 }, (_, step) => {
        const name = `${message}-${step}.txt`
        return step % 2
          ? says('', call('write_text_file', { path: `new/${name}`, content: 'Some words.\n' }))
          : says('', call('read_file', { path: `notes/${name}` }))
      }),
      says(`Part ${message} is done.`),
    ]).flat()
    const { model, requests } = recorder(answers, { contextTokens: 200_000 })
    const files = Array.from({ length: MESSAGES * STEPS }, (_, i) => [
      `notes/${Math.floor(i / STEPS)}-${i % STEPS}.txt`,
      'A note of one line.\n',
    ])
    const product = await embedded(Object.fromEntries(files), { model })
    for (let message = 0; message < MESSAGES; message++) {
      product.write(`from-outside-${message}.txt`, 'new\n')
      await runTo(product, `Go on with part ${message}.`)
    }

    expect(requests).toHaveLength(MESSAGES * STEPS)
    expect(new Set(requests.map(({ system }) => system)).size).toBe(1)
    expect(JSON.stringify(requests.at(-1)!.messages)).toContain('from-outside-4.txt')
    for (const [index, request] of requests.slice(1).entries())
      expect(repeatedShare(requests[index]!, request), `request ${index + 2}`).toBeGreaterThan(0.9)
  },
)

/** How much of a request is the same from its first byte on: what a provider's cache can hold. */
function repeatedShare(before: ModelRequest, request: ModelRequest): number {
  const [one, two] = [toText(before), toText(request)]
  let same = 0
  while (same < two.length && one[same] === two[same]) same++
  return same / two.length
}

function toText({ tools, system, messages }: ModelRequest): string {
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  return JSON.stringify([offered, system, ...messages])
}
