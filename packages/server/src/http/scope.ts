import {
  fail,
  type Result,
  type Right,
  ROUTE_DETAILS,
  type RouteDetails,
  type RouteName,
  type TokenId,
  type TokenLimits,
  type WorkspaceId,
} from '@filewright/protocol'

/** Who asks, and what they may reach. */
export interface Scope {
  readonly tokenId: TokenId
  /** For people: in logs and messages. */
  readonly name: string
  readonly workspaces: 'all' | readonly WorkspaceId[]
  readonly rights: readonly Right[]
  /** The server's own token, which is in no store. */
  readonly isOwner: boolean
  /** One person on one machine: whoever asks also decides. */
  readonly decidesOwn: boolean
  readonly limits?: TokenLimits
}

export function reaches({ workspaces }: Scope, workspaceId: string): boolean {
  return workspaces === 'all' || (workspaces as readonly string[]).includes(workspaceId)
}

/** Everything that may be done includes seeing it. */
export function holds({ rights }: Scope, right: Right): boolean {
  return right === 'read' || rights.includes(right)
}

/** Undefined: the route may be asked. A workspace out of reach is one that does not exist. */
export function refuseRoute(
  scope: Scope,
  name: RouteName,
  workspaceId: string | undefined,
): Result<never> | undefined {
  if (workspaceId !== undefined && !reaches(scope, workspaceId))
    return fail('NOT_FOUND', `There is no workspace "${workspaceId}" on this server.`)
  const { right, orRight, isEverywhere }: RouteDetails = ROUTE_DETAILS[name]
  if (right === 'owner')
    return scope.isOwner ? undefined : denied(scope, 'only the token of the server itself may')
  if (!holds(scope, right) && !(orRight && holds(scope, orRight)))
    return lacks(scope, right, orRight)
  if (isEverywhere && scope.workspaces !== 'all')
    return denied(scope, 'this concerns the whole server, and the token reaches some workspaces')
  return undefined
}

export function lacks(
  scope: Scope,
  ...rights: readonly (Right | undefined)[]
): Result<never, 'DENIED'> {
  const needed = rights.filter(right => right !== undefined).join(' or ')
  const held = ['read', ...scope.rights.filter(each => each !== 'read')].join(', ')
  return denied(scope, `it needs the right to ${needed}, and the token allows ${held}`)
}

function denied({ name }: Scope, reason: string): Result<never, 'DENIED'> {
  return fail('DENIED', `Not with the token "${name}": ${reason}. Nothing was done.`)
}
