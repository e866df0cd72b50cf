import type { Result } from '@filewright/protocol'
import type { FaceRoute } from '../owner/face-routes.ts'
import type { OwnerOptions } from '../owner/owner.ts'
import type { Config } from '../settings/config.ts'
import type { Connection } from './connection.ts'
import type { WordKind } from './word-kind.ts'
import type { FolderOptions, Work } from './work.ts'

/** What can be typed for one command, or for each of a group. */
export interface TypedCommand {
  readonly name: string
  readonly commands?: readonly TypedCommand[]
  readonly arguments?: Readonly<
    Record<string, { readonly usage: string; readonly names?: WordKind }>
  >
  readonly options?: Readonly<Record<string, TypedOption>>
}

export interface TypedOption {
  readonly flags: string
  readonly choices?: readonly string[]
  readonly names?: WordKind
}

/** The process that a command runs in: it becomes the owner of the state, or finds it. */
export interface Host {
  /** What the faces answer on the owner's server, and so on a port that leads to it. */
  readonly routes: readonly FaceRoute[]
  /** Everything that a person can type. */
  readonly commands: readonly TypedCommand[]
  connect(config: Config, options?: Omit<OwnerOptions, 'routes'>): Promise<Result<Connection>>
  /** Connects, opens the folder, works, and lets go of everything, however the work ends. */
  inWorkspace(options: FolderOptions, work: (work: Work) => Promise<void>): Promise<void>
}

/** The code that owns a state loads with the first use: `filewright tools` needs none of it. */
export function createHost({
  routes = [],
  commands = [],
}: Partial<Pick<Host, 'routes' | 'commands'>> = {}): Host {
  return {
    routes,
    commands,
    connect: async (config, options) =>
      (await import('./connection.ts')).connect(config, { ...options, routes }),
    inWorkspace: async (...given) =>
      (await import('./in-workspace.ts')).inWorkspace(routes, ...given),
  }
}
