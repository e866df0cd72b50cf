import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from './config.ts'

test.skipIf(process.platform !== 'linux')(
  'where state and compiled code are kept does not depend on the current folder',
  () => {
    vi.stubEnv('HOME', '/home/anna')
    onTestFinished(() => void vi.unstubAllEnvs())
    const stateRoot = (XDG_STATE_HOME: string) => readConfig({ XDG_STATE_HOME }).stateRoot
    expect(stateRoot('relative')).toBe('/home/anna/.local/state/filewright')
    expect(stateRoot('/states')).toBe(join('/states', 'filewright'))
    const ownFolders = (XDG_CACHE_HOME: string) => readConfig({ XDG_CACHE_HOME }).ownFolders
    expect(ownFolders('relative')).toContain('/home/anna/.cache/filewright')
    expect(ownFolders('/caches')).toContain(join('/caches', 'filewright'))
  },
)
