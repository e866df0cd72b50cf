import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

test('an approval to replace a key file shows what would stand there, not what does', async () => {
  const product = await embedded({ '.env': 'TOKEN=hunter2\n' })
  symlinkSync('.env', join(product.dir, 'settings.txt'))
  const params = { workspaceId: product.workspaceId, sessionId: product.sessionId }
  const replace = (path: string) =>
    product.ask('callTool', {
      params,
      body: {
        tool: 'workspace_create_file',
        arguments: { path, content: 'TOKEN=new\n', overwrite: true },
      },
    })
  for (const path of ['.env', 'settings.txt']) {
    const { approvalId } = (await replace(path)).value
    const { value: listed } = await product.ask('listApprovals', { params })
    expect(listed).toMatchObject([
      {
        warnings: [expect.stringContaining(`What "${path}" holds now is not shown`)],
        diffs: [{ path, diff: expect.stringContaining('+TOKEN=new') }],
      },
    ])
    const denied = await product.ask('decide', {
      params: { ...params, approvalId },
      body: { decision: 'denied' },
    })
    expect(JSON.stringify([listed, denied.value])).not.toContain('hunter2')
  }
  await product.ask('addRule', {
    params,
    body: { effect: 'allow', path: '.env', tool: 'read_file' },
  })
  await replace('.env')
  const { value: allowed } = await product.ask('listApprovals', { params })
  expect(allowed).toMatchObject([
    { warnings: [], diffs: [{ diff: expect.stringContaining('hunter2') }] },
  ])
})
