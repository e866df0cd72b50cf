import type { HouseRules } from '@filewright/loop'
import { LIMITS, type WorkspaceId } from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'

/** What folders of the workspace tell agents, as far as a person allowed it. The client reads and decides. */
export interface HouseRulesReader {
  /** Of the workspace itself. */
  root(): Promise<readonly HouseRules[]>
  /** A call named these paths: the folders that they are in count from now on. */
  noteCall(argumentsJson: string): void
  /** Of the folders that calls named; the same array while there is nothing new. */
  folders(): Promise<readonly HouseRules[]>
  /** Everything is read again. */
  forget(): void
}

const MOST_FOLDERS = 200 // a run that touches more has read enough rules
const PATHS = /"(?:path|docPath|from|to)"\s*:\s*"([^"\\]+)"/g

export function createHouseRules(link: ClientLink, workspaceId: WorkspaceId): HouseRulesReader {
  const seen = new Set<string>()
  let fresh: string[] = []
  let known: readonly HouseRules[] = []

  async function ask(folders: readonly string[]): Promise<HouseRules[]> {
    const timeoutMs = LIMITS.toolTimeoutMs
    const asked = await link.ask(workspaceId, 'instructions', { folders }, { timeoutMs })
    if (!asked.ok) return [] // a client that is away, or an older one
    return asked.value.files.flatMap(({ path, text, isAllowed }) =>
      isAllowed ? { path, text } : [],
    )
  }

  function note(folder: string) {
    if (folder === '' || seen.has(folder) || seen.size >= MOST_FOLDERS) return
    seen.add(folder)
    fresh.push(folder)
  }

  return {
    root: () => ask(['']),
    noteCall(argumentsJson) {
      for (const [, path] of argumentsJson.matchAll(PATHS)) {
        const parts = path!.split('/').slice(0, -1)
        for (const depth of parts.keys()) note(parts.slice(0, depth + 1).join('/'))
      }
    },
    async folders() {
      if (fresh.length === 0) return known
      const folders = fresh
      fresh = []
      const found = await ask(folders)
      if (found.length > 0) known = [...known, ...found]
      return known
    },
    forget() {
      fresh = [...seen]
      known = []
    },
  }
}
