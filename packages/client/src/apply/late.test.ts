import fs from 'node:fs'
import path from 'node:path'
import { type ChangeSetId, serialise } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createLateWatch } from '../publish/late-watch.ts'
import { changeSet, remove, replace } from '../testing/apply-kit.ts'
import { readTree } from '../testing/disk-ports.ts'
import { openDisk, withFolders } from '../testing/faulty-disk.ts'
import { errno } from '../workspace/paths/folder.ts'
import { apply } from './apply.ts'
import { findLate } from './late.ts'
import type { ApplyPorts } from './ports.ts'
import { restore } from './restore.ts'
import { redo, undo } from './undo.ts'

const id = (text: string) => text as ChangeSetId
const BROUGHT_BACK = expect.stringContaining('"filewright restore cs_1.0" brings them back')

verifies(
  ['CONTRACT §6 undo from kept bytes', 'CONTRACT §6 displaced bytes kept'],
  'a program that holds the old file open and writes to it: undo still works, and the lines are brought back',
  async () => {
    const { root, ports, log } = await openLogged()
    await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), ports)
    log('two\n')
    expect(await lookAt('cs_1', ports)).toMatchObject([{ isNew: true }])
    expect(await lookAt('cs_1', ports)).toMatchObject([{ isNew: false }])
    log('three\n')
    expect(await lookAt('cs_1', ports)).toMatchObject([{ isNew: true }])
    expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
      ok: true,
      value: { warnings: [BROUGHT_BACK] },
    })
    expect(readTree(root)).toEqual({ 'app.log': 'one\n' })
    expect(await redo(id('cs_1'), ports, { as: id('cs_3') })).toMatchObject({ ok: true })
    expect(await restore('cs_1.0', ports, { as: id('cs_4') })).toMatchObject({ ok: true })
    expect(readTree(root)).toEqual({ 'app.log': 'ours\ntwo\nthree\n' })
  },
)

test('what was brought back is not brought back again; what came later is', async () => {
  const { root, ports, log } = await openLogged()
  await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), ports)
  log('two\n')
  await lookAt('cs_1', ports)
  await restore('cs_1.0', ports, { as: id('cs_2') })
  expect(await restore('cs_1.0', ports, { as: id('cs_3') })).toMatchObject({
    failure: { code: 'CONFLICT', message: expect.stringContaining('already has those bytes') },
  })
  log('three\n')
  await lookAt('cs_1', ports)
  expect(await restore('cs_1.0', ports, { as: id('cs_4') })).toMatchObject({ ok: true })
  expect(readTree(root)).toEqual({ 'app.log': 'ours\ntwo\nthree\n' })
  await undo(id('cs_4'), ports, { as: id('cs_5') })
  expect(readTree(root)).toEqual({ 'app.log': 'ours\ntwo\n' })
})

test('a late save that changed old bytes becomes a file of its own, and a missing file comes back', async () => {
  const { root, ports } = await openLogged()
  const fd = fs.openSync(path.join(root, 'app.log'), 'r+')
  await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), ports)
  fs.writeSync(fd, 'ONE\nmore', 0)
  fs.closeSync(fd)
  await lookAt('cs_1', ports)
  await restore('cs_1.0', ports, { as: id('cs_2') })
  expect(readTree(root)).toEqual({ 'app.log': 'ours\n', 'app (kept).log': 'ONE\nmore' })
  await restore('cs_1.0', ports, { as: id('cs_3') })
  expect(readTree(root)).toMatchObject({ 'app (kept 2).log': 'ONE\nmore' })
  fs.rmSync(path.join(root, 'app.log'))
  await restore('cs_1.0', ports, { as: id('cs_4') })
  expect(readTree(root)).toMatchObject({ 'app.log': 'ONE\nmore' })
})

test('lines that arrive in a deleted file are reported and brought back too', async () => {
  const { root, ports, log } = await openLogged()
  await apply(changeSet('cs_1', [remove('app.log', 'one\n')]), ports)
  log('two\n')
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
    ok: true,
    value: { warnings: [BROUGHT_BACK] },
  })
  await restore('cs_1.0', ports, { as: id('cs_3') })
  expect(readTree(root)).toEqual({ 'app.log': 'one\ntwo\n' })
})

test('an id that is not kept is refused, and those that are kept are named', async () => {
  const { ports, log } = await openLogged()
  const refused = (message: string) => ({
    failure: { code: 'NOT_FOUND', message: expect.stringContaining(message) },
  })
  expect(await restore('cs_9.0', ports, { as: id('cs_2') })).toMatchObject(refused('Nothing is.'))
  await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), ports)
  log('two\n')
  await lookAt('cs_1', ports)
  const named = refused('These are: cs_1.0.')
  expect(await restore('../x', ports, { as: id('cs_2') })).toMatchObject(named)
})

test('on another disk than the state, what arrives in a moment is seen and kept', async () => {
  const { root, ports, log } = await openLogged()
  const elsewhere = withFolders(ports, folder => ({
    rename: async (name, to, toName) => {
      if (toName.endsWith('.kept')) throw errno('EXDEV', toName)
      await folder.rename(name, to, toName)
    },
  }))
  await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), elsewhere)
  expect(fs.readdirSync(root)).toEqual(['app.log'])
  log('two\n')
  expect(await lookAt('cs_1', ports)).toMatchObject([{ isNew: true }])
  log('three\n')
  expect(await lookAt('cs_1', ports)).toMatchObject([{ isNew: true }])
  ports.checkpoints.releaseOld(id('cs_1'))
  await restore('cs_1.0', ports, { as: id('cs_2') })
  expect(readTree(root)).toEqual({ 'app.log': 'ours\ntwo\nthree\n' })
})

test('a watch tells of it a moment later, and once, even when it starts anew', async () => {
  const { ports, log } = await openLogged()
  const watchPorts = { ...ports, oneAtATime: serialise(), onError: () => expect.unreachable() }
  const watch = await createLateWatch(watchPorts)
  await apply(changeSet('cs_1', [replace('app.log', 'one\n', 'ours\n')]), ports)
  watch.expect(id('cs_1'))
  log('two\n')
  const untold = async () => (await ports.checkpoints.displaced()).length
  await expect.poll(untold).toBe(1)
  const later = await createLateWatch(watchPorts)
  expect(await later.takeNotices()).toEqual([BROUGHT_BACK])
  expect(await later.takeNotices()).toEqual([])
  expect(await (await createLateWatch(watchPorts)).takeNotices()).toEqual([])
})

/** With a program that writes a log: it opened the file before anything else happened. */
async function openLogged() {
  const disk = await openDisk({ 'app.log': 'one\n' })
  const fd = fs.openSync(path.join(disk.root, 'app.log'), 'a')
  onTestFinished(() => fs.closeSync(fd))
  return { ...disk, log: (line: string) => void fs.writeSync(fd, line) }
}

async function lookAt(changeSetId: string, ports: ApplyPorts) {
  const checkpoint = await ports.checkpoints.get(id(changeSetId))
  return findLate(checkpoint!, ports, { isTold: true })
}
