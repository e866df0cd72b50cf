import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { untilSays } from '../until-says.ts'

test.skipIf(process.platform === 'win32')(
  'a pipe that is named like a rule file stops no server',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
    execFileSync('mkfifo', [join(box.dir, '.gitignore'), join(box.dir, 'sub/.filewrightignore')])
    await untilSays(box.start(['serve', '--port', '0']), /Offering/)
    const { result } = await box.call('list_files', {})
    expect(result.files).toMatchObject([{ path: 'a.txt' }, { path: 'sub/b.txt' }])
    expect(result.leftOut.total).toBe(2)
  },
)
