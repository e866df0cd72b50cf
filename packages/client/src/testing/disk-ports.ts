import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { unwrap } from '@filewright/protocol'
import type { ApplyPorts } from '../apply/ports.ts'
import { createApplyJournal } from '../kept/apply-journal.ts'
import { createCheckpointStore } from '../kept/checkpoint-store.ts'
import { openDiskFolder } from '../workspace/disk/disk-folder.ts'
import { type DiskWorkspaceOptions, openDiskWorkspace } from '../workspace/disk.ts'

/** An apply on a real disk: the workspace at `root`, its state in a folder elsewhere. */
export async function openDiskPorts(
  root: string,
  state: string,
  options?: DiskWorkspaceOptions,
): Promise<ApplyPorts> {
  fs.mkdirSync(path.join(state, 'checkpoints'), { recursive: true })
  return {
    workspace: unwrap(await openDiskWorkspace(root, options)),
    journal: createApplyJournal(openDiskFolder(state, options)),
    checkpoints: createCheckpointStore(openDiskFolder(path.join(state, 'checkpoints'), options)),
    now: Date.now,
    randomHex: digits => randomBytes(digits / 2).toString('hex'),
  }
}

/** Every file below a folder with its text, temporary ones too; links by where they lead. */
export function readTree(root: string): Record<string, string> {
  const tree: Record<string, string> = {}
  // Not `recursive: true`: Node 24 follows links then, and a link to its own folder never ends.
  const readFolder = (folder: string): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name)
      const relative = path.relative(root, full)
      if (entry.isDirectory()) readFolder(full)
      if (entry.isFile()) tree[relative] = fs.readFileSync(full, 'utf8')
      if (entry.isSymbolicLink()) tree[relative] = `-> ${fs.readlinkSync(full)}`
    }
  }
  readFolder(root)
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function writeTree(root: string, tree: Readonly<Record<string, string>>): void {
  for (const [relative, text] of Object.entries(tree)) {
    const full = path.join(root, relative)
    fs.mkdirSync(path.dirname(full), { recursive: true })
    fs.writeFileSync(full, text)
  }
}
