import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endOf, root, run, signalGroup, temporaryFolder } from './checkout.ts'
import { npmStart } from './started.ts'

const full = process.env.FILEWRIGHT_FULL === '1'
const minutes = 60_000

test.skipIf(!full)(
  'a fresh clone starts and tests with nothing but Node and npm',
  { timeout: 15 * minutes },
  async () => {
    const clone = join(temporaryFolder(), 'a fresh clone')
    expect((await run('git', ['clone', '--quiet', root, clone], root)).code).toBe(0)

    const { npm, url } = await npmStart(clone, temporaryFolder())
    expect(await (await fetch(new URL('/', url))).text()).toContain('<title>Filewright</title>')
    signalGroup(npm, 'SIGINT')
    await endOf(npm)

    const tested = await run('npm', ['test', '--', 'test/browser', 'test/architecture'], clone)
    expect(tested.stdout.trimEnd().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed/)
    expect(tested.code).toBe(0)

    const status = await run('git', ['status', '--porcelain'], clone)
    expect(status.stdout).toBe('')
  },
)
