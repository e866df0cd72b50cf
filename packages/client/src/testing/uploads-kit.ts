import fs from 'node:fs'
import path from 'node:path'
import { type Applied, createRouteClient, fail, ok } from '@filewright/protocol'
import { openLogFolder } from '../embedded/log-folder.ts'
import { createUnsynced } from '../embedded/unsynced.ts'
import { createUploadList, MANY_LINES } from '../kept/upload-lines.ts'
import type { StoreBlobs } from '../link/store-blobs.ts'
import { openUploads } from '../link/uploads.ts'

const FILES = 200 // many, so that a file's next change seldom hides a lost one

type Heads = Record<string, string | null>

/**
 * Some files, a store that receives their heads, and the changes applied to them, each in a file that outlives the
 * process: a line exists once its step is done.
 */
export async function openUploadsOn(root: string, { isAway }: { isAway?: () => boolean } = {}) {
  const logs = openLogFolder(root, createUnsynced())
  const { length } = (await logs.read('uploads.jsonl'))!
  const applies = openLines<Applied>(path.join(root, 'applies'))
  const told = openLines<Heads>(path.join(root, 'told'))
  let last = applies.read().length
  const onDisk: Heads = Object.assign({}, ...applies.read().map(toHeads))
  const blobs: StoreBlobs = {
    send: async docPath => {
      const sha256 = onDisk[docPath]
      if (!sha256) return fail('NOT_FOUND', 'gone')
      return ok({ docPath, path: docPath, sha256, sizeBytes: 1 }) as never
    },
    put: async () => {},
  }
  const uploads = await openUploads({
    list: createUploadList(logs),
    blobs,
    call: createRouteClient({
      async fetch(request) {
        if (isAway?.()) throw new Error('away')
        const { heads } = (await request.json()) as Asked
        told.add(Object.fromEntries(heads.map(({ docPath, sha256 }) => [docPath, sha256])))
        return new Response('{}')
      },
      origin: 'http://store.local',
      token: 't',
    }).call,
    workspaceId: 'ws_1',
    allowsReading: () => false,
    onError: () => {},
  })
  return {
    uploads,
    /** Enough for a compaction. */
    isLong: length >= MANY_LINES,
    close: () => logs.close(),
    onDisk: () => filesOf(onDisk),
    inStore: () => filesOf(Object.assign({}, ...told.read())),

    /** As a client does when it starts, before it compacts. */
    async settle() {
      const all = new Map(applies.read().map(applied => [applied.changeSetId as string, applied]))
      await uploads.settle(async id => all.get(id))
      await uploads.catchUp()
    },

    /** The next change of two of the files; deletions too. */
    change(random: () => number) {
      const number = ++last
      const changeSetId = `cs_${number}`
      const first = Math.floor(random() * FILES)
      const files = [first, first + 1].map(file => {
        const docPath = String(file)
        const after = random() < 0.3 ? null : number.toString(16).padStart(64, '0')
        return { docPath, path: docPath, before: null, after, sizeBytes: 1 }
      })
      const applied = { changeSetId, files, warnings: [] } as unknown as Applied
      return {
        changeSetId,
        applied() {
          applies.add(applied)
          Object.assign(onDisk, toHeads(applied))
          return applied
        },
      }
    },
  }
}

interface Asked {
  readonly heads: readonly { readonly docPath: string; readonly sha256: string | null }[]
}

function toHeads({ files }: Applied): Heads {
  return Object.fromEntries(files.map(({ docPath, after }) => [docPath, after]))
}

/** A deleted file equals one that never existed. */
function filesOf(heads: Heads): Heads {
  return Object.fromEntries(Object.entries(heads).filter(([, sha256]) => sha256 !== null))
}

/** A last line cut off by a kill does not count. */
function openLines<Line>(file: string) {
  const text = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')
  const whole = text().slice(0, text().lastIndexOf('\n') + 1)
  const lines = whole.split('\n').flatMap(line => (line === '' ? [] : (JSON.parse(line) as Line)))
  fs.writeFileSync(file, whole)
  return {
    read: (): readonly Line[] => lines,
    add(line: Line) {
      fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
      lines.push(line)
    },
  }
}
