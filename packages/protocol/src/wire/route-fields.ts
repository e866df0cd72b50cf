import { ROUTE_DETAILS, type RouteDetails } from './route-details.ts'
import { routeInputs } from './route-inputs.ts'
import { type RouteName, routeTemplate } from './routes.ts'

/** Everything that a route takes, by name: for callers that give all of it in one object. No name occurs twice. */
export interface RouteFields {
  readonly params: readonly string[]
  readonly query: readonly string[]
  readonly body: readonly string[]
}

export function routeFields(name: RouteName): RouteFields {
  const { query, body } = routeInputs(name)
  return {
    params: [...routeTemplate(name).matchAll(/:(\w+)/g)].map(([, param]) => param!),
    query: Object.keys(query?.shape ?? {}),
    body: Object.keys(body?.shape ?? {}),
  }
}

/** The routes of those who use a workspace, without those of the client that offers one. */
export function isForProducts(name: RouteName): boolean {
  const { isForClients }: RouteDetails = ROUTE_DETAILS[name]
  return !isForClients
}
