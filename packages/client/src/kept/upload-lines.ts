import type { LeftUploads, UploadList, WaitingUpload } from '../state/upload-list.ts'
import type { LineLogs } from './line-logs.ts'
import { toDamage } from './to-damage.ts'

type UploadLine =
  | { readonly intend: string }
  | { readonly add: WaitingUpload }
  | { readonly done: string }

const UPLOADS = 'uploads.jsonl'
export const MANY_LINES = 300 // about 100 change sets: reading them takes a millisecond

export function createUploadList(logs: LineLogs): UploadList {
  let found = 0 // lines when it was loaded or last rewritten

  async function begin(line: UploadLine): Promise<void> {
    await logs.begin(UPLOADS, [line])
  }

  async function replace(left: LeftUploads): Promise<void> {
    const lines = toLines(left)
    await logs.replace(UPLOADS, lines)
    found = lines.length
  }

  return {
    async load() {
      const salvaged = await logs.salvage(UPLOADS, isUploadLine)
      const left = fold(salvaged.lines)
      found = salvaged.lines.length
      if (salvaged.lost > 0) await replace(left)
      return { ...left, damage: toDamage(salvaged) }
    },
    intend: changeSetId => logs.append(UPLOADS, [{ intend: changeSetId } satisfies UploadLine]),
    add: upload => begin({ add: upload }),
    settle: changeSetId => begin({ done: changeSetId }),
    /** Rewrites a long list when most of it is settled. */
    async compact(left) {
      const count = left.intended.length + left.waiting.length
      if (found >= MANY_LINES && count * 2 <= found) await replace(left)
    },
  }
}

function fold(lines: readonly UploadLine[]): LeftUploads {
  const intended = new Set<string>()
  const waiting = new Map<string, WaitingUpload>()
  for (const line of lines)
    if ('intend' in line) intended.add(line.intend)
    else if ('done' in line) waiting.delete(line.done)
    else {
      waiting.set(line.add.changeSetId, line.add)
      intended.delete(line.add.changeSetId)
    }
  return { intended: [...intended], waiting: [...waiting.values()] }
}

function toLines({ intended, waiting }: LeftUploads): UploadLine[] {
  return [...intended.map(intend => ({ intend })), ...waiting.map(add => ({ add }))]
}

function isUploadLine(line: unknown): line is UploadLine {
  const { intend, add, done } = Object(line) as Record<string, unknown>
  const { changeSetId, files } = Object(add) as Record<string, unknown>
  if (add !== undefined) return typeof changeSetId === 'string' && Array.isArray(files)
  return typeof intend === 'string' || typeof done === 'string'
}
