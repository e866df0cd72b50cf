import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const FILES = Object.fromEntries(
  Array.from({ length: 600 }, (_, index) => [
    `${['books', 'maps', 'notes'][index % 3]}/part-${index % 20}/file-${index}.txt`,
    `This is file ${index}.`,
  ]),
)

for (const window of [4_096, 8_192])
  for (const toolset of ['workshop', 'workspace'] as const)
    verifies(
      'CONTRACT §7 prompt snapshot sized',
      `a window of ${window} tokens is enough for a run in a folder of 600 files: ${toolset}`,
      async () => {
        const listing = toolset === 'workshop' ? 'list_files' : 'workspace_list_files'
        const call = { name: listing, arguments: { limit: 5 } }
        const model = await fakeModel([{ text: '', calls: [call] }, { text: 'Done.' }])
        const box = sandbox(FILES)
        const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
        await box.run(['models', 'set', 'fake', '--context', String(window)])
        const ran = await box.run(['run', 'What is here?', '--toolset', toolset], { env })
        expect(ran.stderr).not.toContain('too small')
        expect(ran).toMatchObject({ code: 0 })
        const sizes = model.requests.map(request => Math.ceil(JSON.stringify(request).length / 3.5))
        expect(Math.max(...sizes)).toBeLessThanOrEqual(window)
        const first = JSON.stringify(model.requests[0]!.messages)
        for (const top of ['books/', 'maps/', 'notes/']) expect(first).toContain(`- ${top}`)
        expect(first).toMatch(/… \d+ of 600 files/)
      },
    )
