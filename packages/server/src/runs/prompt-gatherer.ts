import { decodeText, isBinary } from '@filewright/documents/text'
import type { PromptFiles, PromptInput } from '@filewright/loop'
import {
  counted,
  type FileEntry,
  LIMITS,
  parseDocPath,
  type SessionId,
  toVersion,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Sources } from '@filewright/tools'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { ActiveFileContent, SessionActiveFiles } from '../sources/active-files.ts'

const HOUSE_RULES = ['AGENTS.md', 'FILEWRIGHT.md']
const HOUSE_RULES_BYTES = 32 * 1024
const MANIFEST_FILES = 200
const PATHS_USED = 50
const MAP_CHARS = 8_000 // of one active file's map; get_file_info gives the rest

export interface GathererOptions {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  readonly workspaceName: string
  readonly toolset: string
  readonly isPlan: boolean
  readonly link: ClientLink
  readonly reader: Sources
  readonly log: SessionLog
  readonly now: () => Date
}

/** What the system prompt is made of: metadata of the workspace, never its content. */
export async function gatherPrompt(options: GathererOptions): Promise<PromptInput> {
  const { workspaceId, workspaceName, toolset, isPlan, link, now } = options
  const [page, houseRules, approvals, pathsUsed] = await Promise.all([
    link.ask(
      workspaceId,
      'files',
      { limit: 2000, folded: false },
      { timeoutMs: LIMITS.toolTimeoutMs },
    ),
    readHouseRules(options),
    link.ask(workspaceId, 'approval-list', {}, { timeoutMs: LIMITS.toolTimeoutMs }),
    findPathsUsed(options),
  ])
  const files = page.ok ? page.value.files : []
  const total = page.ok ? page.value.total : 0
  return {
    workspace: { name: workspaceName, snapshot: toSnapshot(files) },
    manifest: {
      version: String(total),
      files: files.slice(0, MANIFEST_FILES).map(file => ({
        path: file.path,
        kind: kindOf(file.path),
        sizeBytes: file.sizeBytes,
        version: file.version,
      })),
      ...(total > MANIFEST_FILES && { total }),
    },
    pathsUsed,
    houseRules,
    openApprovals: approvals.ok
      ? approvals.value
          .filter(({ state }) => state === 'open')
          .map(({ id, label }) => `${label} (${id})`)
      : [],
    session: {
      toolset,
      date: now().toISOString().slice(0, 10),
      mode: isPlan ? 'plan-first' : 'direct',
    },
  }
}

/** Folders first seen, files within the depth; at most 400 entries (CONTRACT §7). */
function toSnapshot(files: readonly FileEntry[]) {
  const entries = new Set<string>()
  for (const { path } of files) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length && depth <= LIMITS.snapshotDepth; depth++)
      entries.add(`${parts.slice(0, depth).join('/')}/`)
    if (parts.length <= LIMITS.snapshotDepth) entries.add(path)
  }
  const sorted = [...entries].sort()
  const shown = sorted.slice(0, LIMITS.snapshotEntries)
  return { entries: shown, ...(sorted.length > shown.length && { total: sorted.length }) }
}

/** As a read shows it: by the encoding that the file has. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes).slice().content
}

async function readHouseRules({ reader }: GathererOptions) {
  const found = await Promise.all(
    HOUSE_RULES.map(async path => {
      const docPath = parseDocPath(path)
      const read = docPath.ok ? await reader.read(docPath.value) : undefined
      if (!read?.ok || isBinary(read.value.bytes)) return []
      const beginning = read.value.bytes.subarray(0, 4 * HOUSE_RULES_BYTES) // the prompt cuts, and says so
      return [{ path: read.value.path, text: textOf(beginning) }]
    }),
  )
  return found.flat()
}

/** Paths that earlier calls of the session named, newest last, each with the version that its last result told. */
async function findPathsUsed({ log, sessionId }: GathererOptions) {
  const last = await log.lastSeq(sessionId)
  const rows = await log.read(sessionId, { after: Math.max(0, last - 500), limit: 500 })
  const paths = new Map<string, { path: string; version?: string }>()
  const calls = new Map<string, string>()
  for (const { body } of rows) {
    if (body.type === 'call-start') {
      const path = /"(?:path|docPath)"\s*:\s*"([^"\\]+)"/.exec(body.arguments)?.[1]
      if (!path) continue
      const before = paths.get(path)
      paths.delete(path)
      paths.set(path, before ?? { path })
      calls.set(body.tool_call_id, path)
    }
    const path = body.type === 'tool_result' ? calls.get(body.tool_call_id) : undefined
    if (path === undefined || body.type !== 'tool_result' || !body.success) continue
    const version = VERSION.exec(body.content)?.[1]
    if (version) paths.set(path, { path, version })
  }
  return [...paths.values()].slice(-PATHS_USED)
}

const VERSION = /\bversion"?[ :]+"?([0-9a-f]{8})\b/ // a header, a sentence or a field: it stands before any content

/** The active files as the prompt takes them; the same object while nothing changed. Of what is no text, the map. */
export function createActiveFilesSource(
  active: SessionActiveFiles,
  mapOf: (path: string) => Promise<string | undefined>,
  isInDraft: () => boolean,
): () => Promise<PromptFiles> {
  let held: { key: string; value: PromptFiles } = { key: '[]', value: { files: [] } }
  return async () => {
    const contents = await active.contents({ ofDraft: isInDraft() })
    const key = JSON.stringify(
      contents.map(file => [file.docPath, file.sha256, file.isInContext, file.draftState]),
    )
    if (key !== held.key)
      held = {
        key,
        value: {
          files: await Promise.all(
            contents.map(async file => ({
              path: file.displayPath,
              version: toVersion(file.sha256),
              isDirty: file.isDirty,
              ...((file.isDrafted || file.draftState) && { isDrafted: true }),
              ...(file.bytes ? { text: textOf(file.bytes) } : await mapOrReason(file, mapOf)),
            })),
          ),
        },
      }
    return held.value
  }
}

async function mapOrReason(
  { displayPath, isText, sizeBytes }: ActiveFileContent,
  mapOf: (path: string) => Promise<string | undefined>,
): Promise<{ text: string; isMap: true } | { notSent: string }> {
  if (isText)
    return { notSent: `${counted(sizeBytes, 'byte')}, over the bound: read the part you need` }
  const map = await mapOf(displayPath)
  if (map === undefined) return { notSent: `${counted(sizeBytes, 'byte')} that are no text` }
  const text = map.length <= MAP_CHARS ? map : `${map.slice(0, MAP_CHARS)}\n… (cut)`
  return { text, isMap: true }
}

function kindOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(dot + 1).toLowerCase() : 'file'
}
