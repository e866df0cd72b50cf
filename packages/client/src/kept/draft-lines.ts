import { basename } from 'node:path'
import type { DraftId, DraftLine } from '@filewright/protocol'
import type { DraftLogs, Shelf } from '../state/draft-logs.ts'
import type { LineLogs } from './line-logs.ts'

const ENDING = '.jsonl'

/** One log per draft, in the folder of its shelf. */
export function createDraftLogs(logs: LineLogs): DraftLogs {
  return {
    async list(shelf) {
      const names = await logs.list(folderOf(shelf))
      return names.flatMap(name =>
        name.endsWith(ENDING) ? (basename(name, ENDING) as DraftId) : [],
      )
    },
    read: (shelf, id) => logs.read<DraftLine>(nameOf(shelf, id)),
    append: (id, lines) => logs.append(nameOf('open', id), lines),
    begin: (id, lines) => logs.begin(nameOf('open', id), lines),
    move: (id, from, to) => logs.move(nameOf(from, id), nameOf(to, id)),
    remove: (shelf, id) => logs.remove(nameOf(shelf, id)),
    async namedBlobs(shelf, id) {
      const text = await logs.readText(nameOf(shelf, id))
      return new Set(text.match(/\b[0-9a-f]{64}\b/g))
    },
    placeOf: (shelf, id) => logs.placeOf(nameOf(shelf, id)),
  }
}

/** Never outside its folder: an id may come from a server that is not trusted. */
function nameOf(shelf: Shelf, id: DraftId): string {
  if (basename(id) !== id) throw new Error(`"${id}" cannot name a draft`)
  return `${folderOf(shelf)}/${id}${ENDING}`
}

function folderOf(shelf: Shelf): string {
  return `drafts/${shelf}`
}
