import {
  isForProducts,
  type JsonRoute,
  ROUTE_DETAILS,
  ROUTES,
  type RouteArguments,
  type RouteDetails,
  type RouteName,
  routeFields,
  routeInputs,
} from '@filewright/protocol'
import { byteMethods } from './byte-methods.ts'
import { followMethods } from './follow-methods.ts'
import type { Method, Params } from './method.ts'
import { CODES, RpcError, unwrap } from './rpc-error.ts'

/** A method for each route that a product may ask, under the route's name: what HTTP has, rpc has. */
export function routeMethods(): Readonly<Record<string, Method>> {
  const methods: Record<string, Method> = { ...byteMethods, ...followMethods }
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { answers, rawBody }: RouteDetails = ROUTE_DETAILS[name]
    if (isForProducts(name) && !answers && !rawBody) methods[name] = toMethod(name as JsonRoute)
  }
  return methods
}

function toMethod(name: JsonRoute): Method {
  const { params, query, body } = routeFields(name)
  return {
    takes: [...params, ...query, ...body],
    needs: params.filter(param => param !== 'workspaceId'), // the folder's own, unless one is named
    async run(given, { work }) {
      const asked = {
        params: { ...work.params, ...texts(given, params) },
        query: texts(given, query),
        ...(routeInputs(name).body && { body: only(given, body) }),
      } as unknown as RouteArguments<JsonRoute>[0] // the route checks it, and its failure says what is wrong
      return unwrap(await work.connection.call(name, asked as never))
    },
  }
}

/** As an address has them. */
function texts(given: Params, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(only(given, names)).map(([name, value]) => {
      if (typeof value === 'object')
        throw new RpcError(CODES.params, `"${name}" is a text, a number, true or false.`)
      return [name, String(value)]
    }),
  )
}

function only(given: Params, names: readonly string[]): Params {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}
