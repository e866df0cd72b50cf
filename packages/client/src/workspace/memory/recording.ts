import { type DiskStep, MemoryDisk, type MemoryNode } from './memory-folder.ts'

/** Thrown in place of the step after the last: the power is gone. */
export class PowerCut extends Error {}

/** Whether a step that was not synced reached the disk anyway. */
export type Survives = (step: DiskStep) => boolean

interface RecordedStep {
  readonly disk: MemoryDisk
  readonly step: DiskStep
  isDurable: boolean
}

interface RecordedWrite extends RecordedStep {
  readonly step: Extract<DiskStep, { do: 'write' }>
}

/**
 * Records the steps of one or more disks in memory, cuts the power after a given number of them, and then tells what a
 * real disk could hold: everything synced, and any part of the rest. What the disks hold at the start is durable.
 *
 * The model: a folder's sync makes the names in it durable, a file's sync its bytes. A rename is one step, as on every
 * disk in use. Of unsynced steps any may be lost while later ones survive, except where that makes no sense: a name
 * that is still taken takes no second file.
 */
export class Recorder {
  readonly #steps: RecordedStep[] = []
  readonly #writes = new Map<MemoryNode, RecordedWrite[]>()
  readonly #origins: ReadonlyMap<MemoryDisk, ReadonlyMap<MemoryNode, OldNode>>
  readonly #cutAfter: number

  constructor(disks: readonly MemoryDisk[], cutAfter = Number.POSITIVE_INFINITY) {
    this.#cutAfter = cutAfter
    this.#origins = new Map(disks.map(disk => [disk, rememberNodes(disk)]))
    for (const disk of disks) disk.beforeStep = step => this.#record(disk, step)
  }

  get steps(): readonly DiskStep[] {
    return this.#steps.map(({ step }) => step)
  }

  /** The disks after the power came back, in the given order. */
  crash(survives: Survives): MemoryDisk[] {
    const kept = new Set(this.#steps.filter(({ isDurable, step }) => isDurable || survives(step)))
    return [...this.#origins].map(([disk, origin]) => this.#replay(disk, origin, kept))
  }

  #record(disk: MemoryDisk, step: DiskStep): void {
    if (this.#steps.length >= this.#cutAfter) throw new PowerCut('the power is gone')
    const recorded: RecordedStep = { disk, step, isDurable: false }
    this.#steps.push(recorded)
    if (step.do === 'write') {
      const writes = this.#writes.get(step.node)
      if (writes) writes.push(recorded as RecordedWrite)
      else this.#writes.set(step.node, [recorded as RecordedWrite])
    }
    if (step.do === 'sync-file')
      for (const past of this.#writes.get(step.node) ?? []) past.isDurable = true
    if (step.do === 'sync-folder')
      for (const past of this.#steps) if (touches(past.step, step.folder)) past.isDurable = true
  }

  #replay(
    disk: MemoryDisk,
    origin: ReadonlyMap<MemoryNode, OldNode>,
    kept: ReadonlySet<RecordedStep>,
  ): MemoryDisk {
    const result = new MemoryDisk(disk.options)
    const copies = new Map<MemoryNode, MemoryNode>([[disk.root, result.root]])
    const copyOf = (node: MemoryNode): MemoryNode => {
      let copy = copies.get(node)
      if (!copy) {
        const { kind, target, mode } = node
        const bytes = this.#bytesOf(node, origin, kept)
        const inode = disk.options.renumbers ? undefined : node.inode
        copy = result.newNode(kind, { inode, target, mode, bytes })
        copies.set(node, copy)
      }
      return copy
    }
    for (const [node, { entries }] of origin)
      for (const [name, child] of entries) copyOf(node).entries.set(name, copyOf(child))
    for (const { disk: of, step } of kept) if (of === disk) redo(step, copyOf)
    return result
  }

  /** A lost write between two surviving ones leaves zeros. */
  #bytesOf(
    node: MemoryNode,
    origin: ReadonlyMap<MemoryNode, OldNode>,
    kept: ReadonlySet<RecordedStep>,
  ): Uint8Array {
    let bytes = Buffer.from(origin.get(node)?.bytes ?? [])
    let lost = 0
    for (const recorded of this.#writes.get(node) ?? []) {
      const { step } = recorded
      if (kept.has(recorded)) {
        bytes = Buffer.concat([bytes, Buffer.alloc(lost), step.bytes])
        lost = 0
      } else lost += step.bytes.length
    }
    return bytes
  }
}

interface OldNode {
  readonly bytes: Uint8Array
  readonly entries: ReadonlyMap<string, MemoryNode>
}

function rememberNodes(disk: MemoryDisk): Map<MemoryNode, OldNode> {
  const nodes = new Map<MemoryNode, OldNode>()
  const visit = (node: MemoryNode) => {
    nodes.set(node, { bytes: node.bytes, entries: new Map(node.entries) })
    for (const child of node.entries.values()) visit(child)
  }
  visit(disk.root)
  return nodes
}

function redo(step: DiskStep, copyOf: (node: MemoryNode) => MemoryNode): void {
  if (step.do === 'add') {
    const { entries } = copyOf(step.folder)
    if (!entries.has(step.name)) entries.set(step.name, copyOf(step.node))
  } else if (step.do === 'drop') {
    const { entries } = copyOf(step.folder)
    if (entries.get(step.name) === copyOf(step.node)) entries.delete(step.name)
  } else if (step.do === 'move') {
    const { entries } = copyOf(step.folder)
    if (entries.get(step.name) === copyOf(step.node)) entries.delete(step.name)
    copyOf(step.to).entries.set(step.toName, copyOf(step.node))
  } else if (step.do === 'exchange') {
    const [from, to] = [copyOf(step.folder).entries, copyOf(step.to).entries]
    const [node, other] = [from.get(step.name), to.get(step.toName)]
    if (!node || !other) return // a step before it was lost
    from.set(step.name, other)
    to.set(step.toName, node)
  }
}

function touches(step: DiskStep, folder: MemoryNode): boolean {
  if (step.do === 'move' || step.do === 'exchange')
    return step.folder === folder || step.to === folder
  return (step.do === 'add' || step.do === 'drop') && step.folder === folder
}
