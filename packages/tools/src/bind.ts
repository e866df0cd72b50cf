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

/** The catalog forgets each tool's own types: whoever looks one up by name parses its arguments first. */
export function toCatalog(tools: readonly BoundTool<never, never, never>[]): readonly Tool[] {
  const names = new Map<string, string>()
  for (const { declaration } of tools as unknown as readonly Tool[])
    for (const name of [declaration.name, ...(declaration.aliases ?? [])]) {
      const other = names.get(name)
      if (other)
        throw new Error(
          `Tool name "${name}" is declared twice: by ${other} and ${declaration.name}`,
        )
      names.set(name, declaration.name)
    }
  return tools as unknown as readonly Tool[]
}
