import type { Api } from '../api.ts'

/** What every part of the page that shows one folder is given; it looks again when `pulse` moves. */
export interface PaneProps {
  readonly api: Api
  readonly workspaceId: string
  readonly pulse: number
}
