import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

const FILE = 'src/Billing/Tax.cs'

test('a patch waits for a person, is approved from another process, and is undone', async () => {
  const box = sandbox({ [FILE]: 'a\r\nb\r\nc\r\n' })
  const read = await box.call('workspace_read_file', { path: 'SRC\\billing\\tax.cs' })
  const { version } = read.result.file
  const patch = {
    files: [
      {
        docPath: read.result.file.docPath,
        originalSha256: version,
        changes: [
          {
            operation: 'replace',
            startLine: 2,
            endLine: 2,
            expectedOriginalLines: ['b'],
            newLines: ['B', 'B2'],
            changeKey: 'k',
          },
        ],
      },
    ],
  }
  const asked = await box.call('workspace_write_patch', patch)
  expect(asked).toMatchObject({ code: 9, result: { pending: true } })
  expect(box.read(FILE)).toBe('a\r\nb\r\nc\r\n')
  const listed = await box.run(['approvals', 'list'])
  expect(listed.stdout).toContain('+B2')
  const approved = await box.run(['approvals', 'approve', asked.result.approvalId, '--json'])
  expect(approved.code).toBe(0)
  const envelope = JSON.parse(approved.stdout)
  expect(envelope.files[0]).toMatchObject({
    path: FILE,
    rebased: false,
    changes: [{ changeKey: 'k', status: 'applied' }],
  })
  expect(box.read(FILE)).toBe('a\r\nB\r\nB2\r\nc\r\n')
  const again = await box.call('workspace_get_patch_change', { id: envelope.batchId })
  expect(again.result).toMatchObject({ success: true, fate: 'uploaded' })
  await box.run(['undo'])
  expect(box.read(FILE)).toBe('a\r\nb\r\nc\r\n')
})

test('a denied patch changes nothing and says who refused it', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { result } = await box.call('workspace_read_file', { path: 'a.txt' })
  const asked = await box.call('workspace_write_patch', {
    files: [
      {
        docPath: 'a.txt',
        originalSha256: result.file.sha256,
        changes: [{ operation: 'insert', afterLine: 1, newLines: ['b'] }],
      },
    ],
  })
  const denied = await box.run([
    'approvals',
    'deny',
    asked.result.approvalId,
    '--reason',
    'not now',
    '--json',
  ])
  expect(JSON.parse(denied.stdout)).toMatchObject({
    success: false,
    errorCode: 'DENIED',
    kind: 'denied',
  })
  expect(denied.stdout).toContain('not now')
  expect(box.read('a.txt')).toBe('a\n')
})

test('a file is created, refused when it exists, and replaced when that is asked for', async () => {
  const box = sandbox({ 'Src/x.txt': 'x' })
  const created = await box.call(
    'workspace_create_file',
    { path: 'src/New/File.txt', content: 'one\r\ntwo' },
    ['--yes'],
  )
  expect(created.result).toMatchObject({
    success: true,
    path: 'Src/New/File.txt',
    created: true,
    overwritten: false,
    sizeBytes: 7,
  })
  expect(box.read('Src/New/File.txt')).toBe('one\ntwo')
  const again = await box.call(
    'workspace_create_file',
    { path: 'src/New/File.txt', content: 'x' },
    ['--yes'],
  )
  expect(again).toMatchObject({ code: 4, result: { errorCode: 'FileExists', kind: 'conflict' } })
  const replaced = await box.call(
    'workspace_create_file',
    { path: 'src/new/file.txt', content: 'x', overwrite: true },
    ['--yes'],
  )
  expect(replaced.result).toMatchObject({ success: true, created: false, overwritten: true })
})

test('a stale patch is rebased when the lines around it are intact, else it is a conflict', async () => {
  const box = sandbox({ 'a.txt': '1\n2\n3\n4\n5\n' })
  const { result } = await box.call('workspace_read_file', { path: 'a.txt' })
  box.write('a.txt', 'zero\n1\n2\n3\n4\n5\n')
  const patch = (line: number, text: string) => ({
    files: [
      {
        docPath: 'a.txt',
        originalSha256: result.file.version,
        changes: [
          {
            operation: 'replace',
            startLine: line,
            endLine: line,
            expectedOriginalLines: [String(line)],
            newLines: [text],
          },
        ],
      },
    ],
  })
  const rebased = await box.call('workspace_write_patch', patch(4, 'four'), ['--yes'])
  expect(rebased.result).toMatchObject({ success: true, files: [{ rebased: true }] })
  expect(box.read('a.txt')).toBe('zero\n1\n2\n3\nfour\n5\n')
  box.write('a.txt', '1\nchanged\n3\n4\n5\n')
  const conflict = await box.call('workspace_write_patch', patch(2, 'two'), ['--yes'])
  expect(conflict).toMatchObject({ code: 4, result: { success: false, errorCode: 'CONFLICT' } })
  expect(conflict.result.message).toMatch(/^Nothing was written/)
  expect(box.read('a.txt')).toBe('1\nchanged\n3\n4\n5\n')
})

test('rules allow and deny without asking', async () => {
  const box = sandbox({})
  await box.run(['rules', 'add', '--effect', 'allow', '--path', 'docs/**'])
  await box.run(['rules', 'add', '--effect', 'deny', '--path', '**/secret*'])
  const allowed = await box.call('workspace_create_file', { path: 'docs/a.md', content: 'a\n' })
  expect(allowed.result.success).toBe(true)
  const denied = await box.call('workspace_create_file', { path: 'docs/secret.md', content: 'a\n' })
  expect(denied).toMatchObject({ code: 5, result: { errorCode: 'DENIED' } })
  const asked = await box.call('workspace_create_file', { path: 'other.md', content: 'a\n' })
  expect(asked.code).toBe(9)
})
