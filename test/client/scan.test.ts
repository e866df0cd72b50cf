import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace, type Workspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { served } from './served.ts'
import { startOwnClient } from './start-own-client.ts'

test('a watched folder that needs a yes is scanned once', async () => {
  const folder = await offered({ isLarge: false })
  await folder.offer()
  expect(folder).toMatchObject({ scans: 1, questions: [] })
})

test('the question comes before the server learns of the folder, and the yes is remembered', async () => {
  const folder = await offered({ isLarge: true })
  folder.answer = 'no'
  await expect(folder.offer()).rejects.toThrow('said no')
  expect(folder.server.requests).toEqual([])
  folder.answer = 'yes'
  await folder.offer()
  expect(folder.questions).toEqual(['all of it?', 'all of it?'])

  const before = folder.scans
  await folder.offer()
  expect(folder.questions).toHaveLength(2)
  expect(folder.scans).toBe(before) // nothing is left to find out
})

/** A folder on disk, offered to a server as `attach` does. */
async function offered({ isLarge }: { isLarge: boolean }) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-scan-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  mkdirSync(join(root, 'workspace'))
  writeFileSync(join(root, 'workspace/a.txt'), 'one\n')
  const disk = unwrap(await openDiskWorkspace(join(root, 'workspace')))
  const server = await served()
  const seen = {
    server,
    scans: 0,
    questions: [] as string[],
    answer: 'yes',
    /** Until it is watched too: a client closes only then. */
    async offer() {
      const client = await startOwnClient(server, {
        workspace: { ...disk, list },
        stateRoot: join(root, 'state'),
        watch: true,
        async confirmScan(question) {
          seen.questions.push(question)
          if (seen.answer === 'no') throw new Error('A person said no.')
        },
      })
      await client.close()
    },
  }
  const list: Workspace['list'] = async function* (options) {
    seen.scans++
    if (isLarge && !options?.allowLarge)
      yield { kind: 'question', reason: 'many-files', message: 'all of it?' }
    else yield* disk.list(options)
  }
  return seen
}
