import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChangeSetId, type FileChange, inline } from '@filewright/protocol'
import { expect, onTestFinished } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createRandom, sha256Of } from '../testing/apply-kit.ts'
import { openDiskPorts, readTree, writeTree } from '../testing/disk-ports.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { apply } from './apply.ts'
import type { ApplyPorts } from './ports.ts'

const ROUNDS = process.env.FILEWRIGHT_FULL === '1' ? 1000 : 60
const EDITOR = fileURLToPath(new URL('../../dist/testing/editor-child.js', import.meta.url))
const FILES = Array.from({ length: 8 }, (_, n) => `${n % 2 === 0 ? 'renamed' : 'in-place'}${n}.txt`)

verifies(
  ['CONTRACT §6 displaced bytes kept', 'CONTRACT §6 moved base conflict'],
  `editors save the same files all the time during ${ROUNDS} applies: no save is lost`,
  async () => {
    const folder = makeTempFolder()
    const root = path.join(folder, 'workspace')
    const state = path.join(folder, 'state')
    fs.mkdirSync(root)
    writeTree(root, Object.fromEntries(FILES.map(file => [file, 'begin\n'])))
    const ports = await openDiskPorts(root, state)
    const editors = [await startEditor('rename', root), await startEditor('in-place', root)]
    const seen = await applyRounds(ports, createRandom(3))
    const saved = (await Promise.all(editors.map(stopEditor))).flat()
    ports.journal.close()

    const kept = readTree(path.join(state, 'checkpoints'))
    const found = new Set(
      [...Object.values(readTree(root)), ...Object.values(kept)].flatMap(text => text.split('\n')),
    )
    const lost = saved.filter(line => !found.has(line))
    expect(lost, JSON.stringify({ ...seen, saved: saved.length })).toEqual([])
    expect(saved.length).toBeGreaterThan(0)
    expect(seen.applied, JSON.stringify(seen)).toBeGreaterThan(0)
    expect(seen.collided, 'noticed between the check and the swap').toBeGreaterThan(0)
    expect(Object.keys(readTree(root)).sort()).toEqual([...FILES].sort())
  },
  { timeout: 600_000 },
)

async function applyRounds(disk: ApplyPorts, random: () => number) {
  const seen = { applied: 0, moved: 0, collided: 0, displaced: 0, warned: 0 }
  // on a busy machine a child may sleep through many rounds: then some more, in which we leave it the time for a save
  const isEnough = (round: number) => round >= ROUNDS && seen.applied > 0 && seen.collided > 0
  for (let round = 0; !isEnough(round) && round < ROUNDS + 2000; round++) {
    const ports = round < ROUNDS || seen.collided > 0 ? disk : pausingAfterIntent(disk)
    const files = FILES.filter(() => random() < 0.3)
    const changes = (await Promise.all(files.map(file => planChange(ports, file, round)))).flat()
    if (changes.length === 0) continue
    const result = await apply({ id: `cs_${round}` as ChangeSetId, files: changes }, ports)
    if (result.ok) {
      seen.applied++
      if (result.value.warnings.length > 0) seen.warned++
    } else {
      expect(result.failure.code, result.failure.message).toBe('CONFLICT')
      if (/has since/.test(result.failure.message)) seen.collided++
      else seen.moved++
      if (result.failure.details?.displaced) seen.displaced++
    }
  }
  return seen
}

/** Between the check of the bases and the swap. */
function pausingAfterIntent(ports: ApplyPorts): ApplyPorts {
  const { journal } = ports
  const intend: typeof journal.intend = async intent => {
    await journal.intend(intent)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { ...ports, journal: { ...journal, intend } }
}

async function planChange(ports: ApplyPorts, file: string, round: number): Promise<FileChange[]> {
  const read = await ports.workspace.read(file)
  if (!read.ok) return []
  const { docPath, path: spelling, sha256 } = read.value
  const text = `applied ${round}\n`
  return [
    {
      docPath,
      path: spelling,
      base: sha256,
      content: inline(Buffer.from(text)),
      sha256: sha256Of(text),
    },
  ]
}

async function startEditor(kind: 'rename' | 'in-place', root: string): Promise<ChildProcess> {
  const files = FILES.filter(file => file.startsWith(kind)).map(file => path.join(root, file))
  const editor = fork(EDITOR, [kind, ...files], { execArgv: [] })
  onTestFinished(() => void editor.kill())
  await once(editor, 'message')
  return editor
}

async function stopEditor(editor: ChildProcess): Promise<string[]> {
  editor.send('stop')
  const [saved] = (await once(editor, 'message')) as [string[]]
  return saved
}
