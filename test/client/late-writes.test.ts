import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Applied } from '@filewright/protocol'
import { expect, onTestFinished } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const PRINTED = /"filewright restore (\S+)" brings them back/

verifies(
  'CONTRACT §6 displaced bytes kept',
  'lines that a program writes into a replaced log are reported with the next write, and brought back by the printed id',
  async () => {
    const product = await embedded({ 'app.log': 'one\n', 'b.txt': 'b\n' })
    const fd = openSync(join(product.dir, 'app.log'), 'a')
    onTestFinished(() => closeSync(fd))
    await replace(product, 'app.log', 'ours\n')
    writeSync(fd, 'two\n')
    await product.detach() // looks at the old files once more
    await product.attach()
    const { warnings } = await replace(product, 'b.txt', 'B\n')
    const [, id] = PRINTED.exec(warnings.join('\n')) ?? []
    expect(id, warnings.join('\n')).toBeDefined()
    const restored = await product.ask('restore', { body: { id } })
    expect(restored.status).toBe(200)
    expect(restored.value).toMatchObject({ files: [{ path: 'app.log' }] })
    expect(product.read('app.log')).toBe('ours\ntwo\n')
    await product.ask('undo', { body: {} })
    expect(product.read('app.log')).toBe('ours\n')
  },
)

async function replace(product: Embedded, path: string, content: string) {
  const answer = await product.call('write_text_file', { path, content })
  expect(answer).toMatchObject({ success: true })
  const published = await product.ask('publish', { body: {} })
  expect(published.status).toBe(200)
  return published.value as Pick<Applied, 'warnings'>
}
