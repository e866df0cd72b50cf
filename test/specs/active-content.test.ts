import { createHash } from 'node:crypto'
import { LIMITS } from '@filewright/protocol'
import { describe, expect } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const READ = 'workspace_read_file'
const PATCH = 'workspace_write_patch'
const SAVED = 'a\nb\nc\nd\n'
const UNSAVED = 'a\nb\nnot saved yet\nd\n'

describe('an active file with unsaved text', () => {
  verifies(
    'TUL-002 §3 active file first',
    'a patch that fits the disk and not the unsaved text is refused, and the disk stays as it is',
    async () => {
      const product = await embedded({ 'a.txt': SAVED })
      const saved = (await product.call(READ, { path: 'a.txt' })).file.sha256
      await open(product, 'a.txt', UNSAVED)
      const onSaved = await product.call(PATCH, replace(saved, 3, 'c', 'C'))
      expect(onSaved).toMatchObject({ success: false, errorCode: 'CONFLICT' })
      expect(JSON.stringify(onSaved)).toContain('not saved yet')
      const claimed = await product.call(PATCH, replace(sha256(UNSAVED), 3, 'c', 'C'))
      expect(claimed).toMatchObject({ success: false })
      expect(product.read('a.txt')).toBe(SAVED)
      await close(product, 'a.txt')
      expect(await product.call(PATCH, replace(saved, 3, 'c', 'C'))).toMatchObject({
        success: true,
      })
    },
  )

  verifies(
    'CONTRACT §2 active over store',
    'one that is too large to be sent is read as it is in the editor, not as it was saved',
    async () => {
      const filler = 'x'.repeat(99)
      const large = `${filler}\n`.repeat(LIMITS.activeFileBytes / 100 + 10)
      const product = await embedded({ 'big.txt': `saved\n${large}` })
      await product.call(READ, { path: 'big.txt' }) // the store has it
      await open(product, 'big.txt', `unsaved\n${large}`)
      const { file, errorCode } = await product.call(READ, { path: 'big.txt', lineCount: 1 })
      expect(errorCode).toBeNull()
      expect(file).toMatchObject({ content: 'unsaved\n', sha256: sha256(`unsaved\n${large}`) })
      await close(product, 'big.txt')
      const stored = await product.call(READ, { path: 'big.txt', lineCount: 1 })
      expect(stored.file.content).toBe('saved\n')
    },
  )
})

function open(product: Embedded, path: string, buffer: string) {
  const params = { sessionId: product.sessionId }
  return product.ask('addActiveFile', { params, body: { path, buffer } })
}

function close(product: Embedded, path: string) {
  const params = { sessionId: product.sessionId }
  return product.ask('removeActiveFile', { params, query: { path } })
}

function replace(originalSha256: string, line: number, before: string, after: string) {
  const range = { operation: 'replace', startLine: line, endLine: line }
  const changes = [{ ...range, expectedOriginalLines: [before], newLines: [after] }]
  return { files: [{ docPath: 'a.txt', originalSha256, changes }] }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
