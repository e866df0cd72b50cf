import fs from 'node:fs'
import path from 'node:path'
import { type RelativePath, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { openDiskWorkspace } from '../disk.ts'
import type { Entry } from '../tree/workspace.ts'
import { openDiskFolder } from './disk-folder.ts'

const STATE = '.local/state/filewright'

test.each([{ descriptorPaths: true }, { descriptorPaths: false }])(
  'a folder of our own in the workspace is hidden from tools, %o',
  async ({ descriptorPaths }) => {
    if (descriptorPaths && process.platform !== 'linux') return
    const { root, state } = homeWithState()
    fs.symlinkSync(`${STATE}/token`, path.join(root, 'link'))
    const workspace = unwrap(
      await openDiskWorkspace(root, { ownFolders: [state, '/elsewhere'], descriptorPaths }),
    )
    const listed: Entry[] = []
    for await (const entry of workspace.list({ ignored: 'fold' })) listed.push(entry)
    expect(listed).toMatchObject([
      { kind: 'file', path: '.local/state/other/b.txt' },
      { kind: 'file', path: 'a.txt' },
      { kind: 'unusable', path: 'link' },
    ])
    for (const spelling of [`${STATE}/token`, `./.LOCAL/State\\Filewright/Token`, STATE]) {
      const refused = { failure: { code: 'InvalidPath', kind: 'invalid' } }
      expect(await workspace.read(spelling)).toMatchObject(refused)
      expect(await workspace.locate(spelling)).toMatchObject(refused)
      expect(await workspace.hash(spelling)).toMatchObject(refused)
    }
    expect(await workspace.placeFor(`${STATE}/new.txt` as RelativePath)).toMatchObject({
      failure: { code: 'InvalidPath' },
    })
    expect(await workspace.read('link')).toMatchObject({ ok: false })
    expect(await workspace.read('.local/state/other/b.txt')).toMatchObject({ ok: true })
  },
)

test('a folder of our own is hidden under a second name too', async () => {
  const { root, state } = homeWithState()
  const { dev, ino } = fs.lstatSync(state)
  const isHidden = (identity: string) => identity === `${dev}:${ino}`
  const folder = openDiskFolder(path.dirname(state), { isHidden })
  fs.renameSync(state, path.join(root, '.local/state/renamed'))
  await expect(folder.openFolder('renamed')).rejects.toMatchObject({ code: 'ENOENT' })
  ;(await folder.openFolder('other')).close()
  folder.close()
})

test.skipIf(process.platform !== 'linux')(
  "the root of a disk does not show the system's processes and devices",
  async () => {
    const workspace = unwrap(await openDiskWorkspace('/'))
    for (const spelling of [`proc/${process.pid}/environ`, 'dev/null', 'sys/kernel/notes'])
      expect(await workspace.read(spelling)).toMatchObject({ failure: { code: 'InvalidPath' } })
    const tree = await workspace.openTree()
    await expect(tree.folder('proc')).rejects.toMatchObject({ code: 'ENOENT' })
    tree.close()
  },
)

test('changes in a folder of our own are not reported', async () => {
  const { root, state } = homeWithState()
  const workspace = unwrap(await openDiskWorkspace(root, { ownFolders: [state] }))
  const told: string[] = []
  let tellLast = () => {}
  const last = new Promise<void>(resolve => {
    tellLast = resolve
  })
  const watching = await workspace.watch!({
    onError: error => expect(error).toBeUndefined(),
    onChange: ({ docPaths }) => {
      told.push(...docPaths)
      if (docPaths.some(docPath => docPath === 'a.txt')) tellLast()
    },
  })
  fs.appendFileSync(path.join(state, 'token'), 'x')
  fs.writeFileSync(path.join(state, 'new'), 'x')
  fs.appendFileSync(path.join(root, 'a.txt'), 'x')
  await last
  await watching.close()
  expect(told.filter(docPath => docPath.startsWith(STATE))).toEqual([])
})

function homeWithState() {
  const root = fs.realpathSync(makeTempFolder())
  const state = path.join(root, STATE)
  fs.mkdirSync(state, { recursive: true })
  fs.mkdirSync(path.join(root, '.local/state/other'))
  fs.writeFileSync(path.join(state, 'token'), 'secret')
  fs.writeFileSync(path.join(root, '.local/state/other/b.txt'), 'b')
  fs.writeFileSync(path.join(root, 'a.txt'), 'a')
  return { root, state }
}
