import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProcessEngine } from '@filewright/engine'
import { expect, onTestFinished, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
} from '../../packages/documents/src/corpus.contract.ts'
import {
  makePdf,
  recursivePdf,
} from '../../packages/documents/src/formats/pdf/testing/make-pdf.contract.ts'
import { type Answer, embedded } from '../embedded.ts'

// On a quiet machine; one that is busy with other tests may take longer, and unbounded work far longer.
const MAX_MS = IS_FULL ? 5_000 : 25_000
const hostMain = fileURLToPath(new URL('../../packages/engine/dist/host-main.js', import.meta.url))

test.skipIf(!hasCorpus)(
  `every malformed file is answered as expected, within ${MAX_MS / 1000} s${hasCorpus ? '' : ' (skipped: there is no corpus)'}`,
  async () => {
    const malformed = corpusFiles(({ category }) => category === 'malformed')
    expect(malformed.length).toBeGreaterThanOrEqual(20)
    const named = new Map(malformed.map(entry => [entry.file.replace('malformed/', ''), entry]))
    const product = await productWith(
      Object.fromEntries([...named].map(([path, entry]) => [path, readCorpusFile(entry)])),
    )
    const before = hashes(product.dir)
    for (const [path, entry] of named)
      for (const tool of ['get_file_info', 'read_file'])
        expectAnswer(entry, await timed(path, () => product.call(tool, { path })))
    expect(hashes(product.dir)).toEqual(before) // none was written, and none beside them
    expect(await product.call('read_file', { path: 'good.txt' })).toMatchObject({ success: true })
  },
)

function expectAnswer({ file, expect: wanted = '' }: CorpusFile, answer: Answer): void {
  const mayOpen = /\bopen\b|recover/.test(wanted)
  if (!mayOpen) expect(answer.success, file).toBe(false)
  if (/^open with bounded/.test(wanted)) expect(answer.success, file).toBe(true)
  expect(JSON.stringify(answer), file).not.toContain('root:')
  if (answer.success) return
  expect(['unsupported', 'limit'], `${file}: ${answer.message}`).toContain(answer.kind)
  expect(answer.message.length, file).toBeGreaterThan(40)
  if (wanted.includes('encrypted')) expect(answer.errorCode, file).toBe('ENCRYPTED')
  else if (wanted.includes('limit')) expect(answer.errorCode, file).toBe('TOO_LARGE')
  else expect(answer.errorCode, file).toBe('UNREADABLE_FORMAT')
}

test('a recursive or truncated pdf ends in a sentence', async () => {
  const sound = makePdf([{ texts: [{ x: 72, y: 72, text: 'Hello' }] }])
  const text = Buffer.from(sound).toString('latin1')
  const files = {
    'kids.pdf': text.replace('/Kids [10 0 R]', '/Kids [ 2 0 R]'),
    'parent.pdf': text.replace('/Parent 2 0 R', '/Parent 10 0 R'),
    'stamp.pdf': Buffer.from(recursivePdf('stamp')).toString('latin1'),
    ...(IS_FULL && { 'drawn.pdf': Buffer.from(recursivePdf('page')).toString('latin1') }),
    'outline.pdf': recursiveOutline(),
    'half.pdf': text.slice(0, text.length / 2),
    'no-end.pdf': text.slice(0, text.indexOf('xref')),
    'head.pdf': '%PDF-1.7\n',
  }
  const product = await productWith(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, Buffer.from(content, 'latin1')]),
    ),
  )
  for (const path of Object.keys(files))
    for (const tool of ['get_file_info', 'read_file']) {
      const answer = await timed(path, () => product.call(tool, { path }))
      if (!answer.success) expect(['unsupported', 'limit'], answer.message).toContain(answer.kind)
      expect(answer.message, path).toContain(path)
    }
})

/** A heading that is its own child and its own next. */
function recursiveOutline(): string {
  const outline = '<</Type /Outlines /First 10001 0 R /Last 10001 0 R>>'
  const item = '<</Title (Again) /Parent 10000 0 R /First 10001 0 R /Next 10001 0 R>>'
  const objects = [outline, item]
  const made = makePdf([{}], { catalog: '/Outlines 10000 0 R', objects })
  return Buffer.from(made).toString('latin1')
}

/** With hostile work in a child process, as the command line runs it. */
async function productWith(files: Readonly<Record<string, Uint8Array>>) {
  const engine = createProcessEngine({ command: [process.execPath, hostMain] })
  onTestFinished(() => engine.close())
  return embedded({ 'good.txt': 'good', ...files }, { wrapEngine: () => engine })
}

async function timed(path: string, run: () => Promise<Answer>): Promise<Answer> {
  const started = performance.now()
  const answer = await run()
  const ms = performance.now() - started
  expect(ms, path).toBeLessThan(MAX_MS)
  return answer
}

function hashes(folder: string): string[] {
  return readdirSync(join(folder, '..'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('state'))
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`
    })
    .sort()
}
