import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from './config.ts'

test.skipIf(process.platform !== 'linux')(
  'where state is kept does not depend on the current folder',
  () => {
    vi.stubEnv('HOME', '/home/anna')
    onTestFinished(() => void vi.unstubAllEnvs())
    const stateRoot = (XDG_STATE_HOME: string) => readConfig({ XDG_STATE_HOME }).stateRoot
    expect(stateRoot('relative')).toBe('/home/anna/.local/state/filewright')
    expect(stateRoot('/states')).toBe(join('/states', 'filewright'))
  },
)
