import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

test('an approval to replace a key file shows the new content, not the current one', async () => {
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
        warnings: [expect.stringContaining(`The current content of "${path}" is not shown`)],
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

test('the command that allows a key file can be pasted, whatever the file is called', async () => {
  const name = "my key; touch 'gone'.pem"
  const product = await embedded({ [name]: 'old\n' })
  const pasted = "--path 'my key; touch '\\''gone'\\''.pem'"
  const read = await product.call('read_file', { path: name })
  expect(read).toMatchObject({
    errorCode: 'PRIVATE_FILE',
    message: expect.stringContaining(pasted),
  })
  const replaced = { path: name, content: 'new\n', overwrite: true }
  await product.call('workspace_create_file', replaced, { approve: 'ask' })
  const { value } = await product.ask('listApprovals', {
    params: { workspaceId: product.workspaceId },
  })
  expect(value).toMatchObject([{ warnings: [expect.stringContaining(pasted)] }])
})
