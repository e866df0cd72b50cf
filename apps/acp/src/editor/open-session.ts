import type { Toolset } from '@filewright/protocol'
import type { SessionFolder } from './folder.ts'
import type { FollowedFile } from './followed-file.ts'

export const MODES = ['workshop', 'workspace', 'plan'] as const
export type Mode = (typeof MODES)[number]

/** A session that an editor has open. */
export interface OpenSession {
  readonly sessionId: string
  readonly folder: SessionFolder
  /** Files that the editor gave text of, by path. */
  readonly followed: Map<string, FollowedFile>
  mode: Mode
  model: string | undefined
  effort: string | undefined
  /** The person's answer for every draft of this session. */
  draftAnswer?: 'publish' | 'leave'
  /** A prompt was sent in it: it is kept. */
  isBegun: boolean
  /** Ends the prompt under way. */
  turn?: AbortController
}

export function toolsetOf(mode: Mode): Toolset {
  return mode === 'workspace' ? 'workspace' : 'workshop'
}
