import { expect, test } from 'vitest'
import { root, run } from './checkout.ts'

test.skipIf(process.platform === 'win32')(
  'the checks refuse to run without the corpus',
  async () => {
    const { code, stderr } = await run('bash', ['.ci/run'], root, { FILEWRIGHT_CORPUS: '/nowhere' })
    expect(stderr).toBe(
      'No corpus at /nowhere: set FILEWRIGHT_CORPUS to the folder that holds its index.json.\n',
    )
    expect(code).toBe(1)
  },
)
