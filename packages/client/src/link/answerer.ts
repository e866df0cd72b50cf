import {
  type ClientMethod,
  type ClientMethods,
  fail,
  type LinkRequest,
  lookUp,
  type Result,
} from '@filewright/protocol'
import { toUnkept } from './unkept.ts'

export type MethodTable = {
  [Method in ClientMethod]: (
    params: ClientMethods[Method]['params'],
  ) => Promise<Result<ClientMethods[Method]['value']>>
}

/** Runs the server's requests; an exception is a bug: it goes to our log, and the answer omits its cause. */
export function answerer(methods: MethodTable, onError: (error: unknown) => void) {
  return async (request: LinkRequest): Promise<Result<unknown>> => {
    try {
      const method = lookUp<(params: never) => Promise<Result<unknown>>>(methods, request.method)
      if (!method)
        return fail('UNKNOWN_TOOL', `This client does not know the request "${request.method}".`)
      return await method(request.params as never)
    } catch (error) {
      onError(error)
      return (
        toUnkept('The result of this request', error) ??
        fail('INTERNAL_ERROR', 'The client failed with an internal error; its log has the cause.')
      )
    }
  }
}
