import type { AnyTool, BoundTool, HandlersFor, ToolDeclaration } from '@filewright/protocol'
import type { ClientContext } from './client-context.ts'
import type { ServerContext } from './server-context.ts'

/** A declared tool with its handlers: a missing one, or one on the wrong side, does not compile. */
export function bind<const T extends ToolDeclaration>(
  declaration: T,
  handlers: HandlersFor<T, ServerContext, ClientContext>,
): BoundTool<T, ServerContext, ClientContext> {
  return { declaration, handlers }
}

export type Tool = AnyTool<ServerContext, ClientContext>
