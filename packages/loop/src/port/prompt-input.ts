/** What the prompt is made of, as data; gathered by the session. */
export interface PromptInput {
  readonly workspace: { readonly name: string; readonly snapshot: Snapshot }
  /** Metadata only. */
  readonly manifest: Manifest
  /** Paths that earlier runs of the session read or wrote, newest last, with the version seen. */
  readonly pathsUsed: readonly PathUsed[]
  /** The person's own first, then AGENTS.md and FILEWRIGHT.md of the workspace. */
  readonly houseRules: readonly HouseRules[]
  /** Approvals that wait for a person, one sentence each. */
  readonly openApprovals: readonly string[]
  /** What to know about tools of MCP servers outside, one sentence each. */
  readonly outside?: readonly string[]
  readonly session: SessionFacts
}

/** The folders, without build output; its source limits it to 400 entries and depth 4. */
export interface Snapshot {
  /** Paths relative to the root, folders with a trailing `/`, in order. */
  readonly entries: readonly string[]
  /** How many there are in all, when more than the entries. */
  readonly total?: number
}

export interface Manifest {
  /** Changes whenever an entry does. */
  readonly version: string
  readonly files: readonly ManifestEntry[]
  readonly total?: number
}

export interface ManifestEntry {
  readonly path: string
  readonly kind: string
  readonly sizeBytes: number
  readonly version?: string | null
  /** `created`, `changed` … where the draft differs from the workspace. */
  readonly draft?: string
}

export interface PathUsed {
  readonly path: string
  readonly version?: string
}

export interface HouseRules {
  readonly path: string
  readonly text: string
  /** The person's own, for every folder. */
  readonly isPersonal?: true
}

export interface SessionFacts {
  readonly toolset: string
  /** The day, so that the model knows it; no finer, so that the prefix stays the same. */
  readonly date: string
  readonly mode: 'direct' | 'plan-first' | 'helper'
}

export interface PromptFiles {
  readonly files: readonly PromptFile[]
}

export interface PromptFile {
  readonly path: string
  readonly version: string
  readonly isDirty: boolean
  /** The draft's version of the file, which its next edit starts from. */
  readonly isDrafted?: boolean
  /** The text, or the structural map of another format; absent when the bound left it out. */
  readonly text?: string
  /** The text is the map. */
  readonly isMap?: boolean
  /** Why it is not sent. */
  readonly notSent?: string
}
