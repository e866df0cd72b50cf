import type {
  AnyTool,
  BoundTool,
  HandlersFor,
  ToolDeclaration,
  ToolHooks,
} from '@filewright/protocol'
import type { ClientContext } from './client-context.ts'
import type { ServerContext } from './server-context.ts'

/** A declared tool with its handlers: a missing one, or one on the wrong side, does not compile. */
export function bind<const T extends ToolDeclaration>(
  declaration: T,
  handlers: HandlersFor<T, ServerContext, ClientContext>,
  hooks?: ToolHooks<T>,
): BoundTool<T, ServerContext, ClientContext> {
  return { declaration, handlers, ...(hooks && { hooks }) }
}

export type Tool = AnyTool<ServerContext, ClientContext>
