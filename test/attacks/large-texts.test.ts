import { LIMITS } from '@filewright/protocol'
import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

const LINE = `${'x'.repeat(63)}\n`

verifies(
  'CONTRACT §4 workspace_read_file 10 MB',
  'a long file is read in parts that name the next line',
  async () => {
    const box = sandbox({ 'long.txt': LINE.repeat(200_000) })
    const first = await box.call('workspace_read_file', { path: 'long.txt' })
    const { content, ...facts } = first.result.file
    expect(facts).toMatchObject({
      sizeBytes: 12_800_000,
      isTruncated: true,
      lineStart: 1,
      nextLineStart: 163_841,
      lineCount: 200_000,
    })
    expect(content).toBe(LINE.repeat(LIMITS.readBytes / 64))
    const rest = await box.call('workspace_read_file', { path: 'long.txt', lineStart: 163_841 })
    expect(rest.result.file.content).toBe(LINE.repeat(200_000 - 163_840))
    expect(rest.result.file).not.toHaveProperty('nextLineStart')
  },
)

verifies('CONTRACT §4 workspace_read_file 10 MB', 'one long line is cut and says so', async () => {
  const box = sandbox({ 'line.txt': `${'x'.repeat(11_000_000)}\nend\n` })
  const { result } = await box.call('workspace_read_file', { path: 'line.txt' })
  expect(result.file).toMatchObject({ isTruncated: true, nextLineStart: 2 })
  expect(result.file.content.length).toBe(LIMITS.readBytes)
  expect(result.warnings).toEqual([
    expect.stringContaining('Line 1 is longer than one read gives, so it is cut'),
  ])
})
