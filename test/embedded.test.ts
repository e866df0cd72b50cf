import { expect, test } from 'vitest'
import { embedded } from './embedded.ts'
import type { LinkName } from './links.ts'

const LINKS: LinkName[] = ['direct', 'http', 'socket']

test.each(LINKS)(
  'over the %s link it reads, patches, and reports a client that is away',
  async link => {
    const product = await embedded({ 'a.txt': 'one\ntwo\n' }, { link })
    const read = await product.call('workspace_read_file', { path: 'A.txt' })
    expect(read.file).toMatchObject({ path: 'a.txt', content: 'one\ntwo\n' })
    const changes = [
      { operation: 'delete', startLine: 1, endLine: 1, expectedOriginalLines: ['one'] },
    ]
    const patched = await product.call('workspace_write_patch', {
      files: [{ docPath: 'a.txt', originalSha256: read.file.version, changes }],
    })
    expect(patched).toMatchObject({ success: true })
    expect(product.read('a.txt')).toBe('two\n')
    await product.detach()
    const away = await product.call('workspace_read_file', { path: 'a.txt' })
    expect(away).toMatchObject({ success: true, file: { content: 'two\n' } })
    expect(away.warnings[0]).toContain('away')
    await product.attach()
    expect(
      await product.call('workspace_create_file', { path: 'b.txt', content: 'b' }),
    ).toMatchObject({ success: true })
  },
)
