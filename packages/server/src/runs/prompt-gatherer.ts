import type { HouseRules, PromptInput } from '@filewright/loop'
import { type FileEntry, LIMITS, type SessionId, type WorkspaceId } from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { HouseRulesReader } from './house-rules.ts'
import { findPathsUsed } from './paths-used.ts'

const SNAPSHOT_FILES = 2000

export interface GathererOptions {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  readonly workspaceName: string
  readonly toolset: string
  readonly isPlan: boolean
  readonly link: ClientLink
  readonly rules: HouseRulesReader
  readonly personalRules: PersonalRules
  readonly log: SessionLog
  readonly now: () => Date
}

/** What the person wants in every folder, as they wrote it down; undefined: nothing. */
export type PersonalRules = () => Promise<string | undefined>

/** The parts of the system prompt: metadata of the workspace, never its content. */
export async function gatherPrompt(options: GathererOptions): Promise<PromptInput> {
  const { workspaceId, workspaceName, toolset, isPlan, link, now } = options
  const [page, houseRules, approvals, pathsUsed] = await Promise.all([
    link.ask(
      workspaceId,
      'files',
      { limit: SNAPSHOT_FILES, folded: false },
      { timeoutMs: LIMITS.toolTimeoutMs },
    ),
    gatherRules(options),
    link.ask(workspaceId, 'approval-list', {}, { timeoutMs: LIMITS.toolTimeoutMs }),
    findPathsUsed(options.log, options.sessionId),
  ])
  const files = page.ok ? page.value.files : []
  const total = page.ok ? page.value.total : 0
  return {
    workspace: { name: workspaceName, snapshot: toSnapshot(files) },
    manifest: {
      version: String(total),
      files: files.map(file => ({
        path: file.path,
        kind: kindOf(file.path),
        sizeBytes: file.sizeBytes,
        version: file.version,
      })),
      ...(total > files.length && { total }),
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

async function gatherRules({ rules, personalRules }: GathererOptions): Promise<HouseRules[]> {
  const [own, root] = await Promise.all([personalRules(), rules.root()])
  return [...(own ? [{ path: '', text: own, isPersonal: true } as const] : []), ...root]
}

/** Folders and files down to the depth (CONTRACT §7). */
function toSnapshot(files: readonly FileEntry[]) {
  const entries = new Set<string>()
  for (const { path } of files) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length && depth <= LIMITS.snapshotDepth; depth++)
      entries.add(`${parts.slice(0, depth).join('/')}/`)
    if (parts.length <= LIMITS.snapshotDepth) entries.add(path)
  }
  return { entries: [...entries].sort() }
}

function kindOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(dot + 1).toLowerCase() : 'file'
}
