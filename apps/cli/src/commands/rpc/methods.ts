import { randomBytes } from 'node:crypto'
import type { Work } from '@filewright/host'
import type { RouteName } from '@filewright/protocol'
import type { Asked, Method, Params } from './method.ts'
import { routeMethods } from './route-methods.ts'
import { ask, newSession, runMethods } from './run-methods.ts'

/** Every method: those that run the agent, those of ADR-0010's names, and one for each route. */
export function allMethods(): Readonly<Record<string, Method>> {
  const routes = routeMethods()
  return { ...runMethods, ...namedMethods(routes), ...routes }
}

/** Older names of routes; what a route takes may have been added later. */
const OLDER = {
  WorkshopSteer: 'sendMessage',
  WorkshopCancel: 'cancel',
  WorkshopQueue: 'listQueue',
  WorkshopTakeBack: 'takeBack',
  WorkshopRewind: 'rewind',
  WorkshopReview: 'review',
  WorkshopPublish: 'publish',
  WorkshopDiscard: 'discard',
} as const satisfies Record<string, RouteName>

function namedMethods(routes: Readonly<Record<string, Method>>): Record<string, Method> {
  const older = Object.entries(OLDER).map(([name, route]) => [name, routes[route]!] as const)
  return { ...Object.fromEntries(older), CallTool: callTool }
}

const callTool: Method = {
  takes: ['tool', 'arguments', 'sessionId', 'approve', 'toolCallId'],
  needs: ['tool'],
  async run({ sessionId: given, toolCallId: own, ...body }: Params, { work, onCancel }: Asked) {
    const sessionId = String(given ?? (await newSession(work)))
    const toolCallId = own ?? randomBytes(8).toString('hex')
    onCancel(() => void giveUp(work, sessionId, String(toolCallId)))
    return ask(work, 'callTool', { sessionId }, { arguments: {}, ...body, toolCallId })
  },
}

async function giveUp({ connection, params }: Work, sessionId: string, toolCallId: string) {
  await connection.call('cancelCall', { params: { ...params, sessionId, toolCallId } })
}
