import { TOOLSETS, type ToolDeclaration, type Toolset } from '@filewright/protocol'
import type { Tool } from './bind.ts'
import { toOperationTools } from './operations/operation-tools.ts'
import * as tools from './tools.ts'

/** The result of `bind`, for any tool. */
interface Bound {
  readonly declaration: ToolDeclaration
  readonly handlers: object
}

/** Every tool, in reading order. */
export const catalog: readonly Tool[] = toCatalog(tools, toOperationTools())

const byName = new Map(
  catalog.flatMap(tool => namesOf(tool.declaration).map(name => [name, tool] as const)),
)

/** By its name or an alias. */
export function findTool(nameOrAlias: string): Tool | undefined {
  return byName.get(nameOrAlias)
}

/** The tools of a toolset; without one, all. */
export function inToolset<Item extends Pick<Bound, 'declaration'>>(
  items: readonly Item[],
  toolset: Toolset | undefined,
): readonly Item[] {
  if (!toolset) return items
  return items.filter(({ declaration }) => declaration.toolsets.includes(toolset))
}

/**
 * The catalog drops each tool's own types: a caller that looks one up by name parses its arguments first. A line under
 * another name than its tool's, and a name or alias that is taken, do not compile; without the compiler they throw, as
 * does a derived tool whose name is taken.
 */
export function toCatalog<const Tools extends Readonly<Record<string, Bound>>>(
  listed: Tools & SoundLines<Tools>,
  derived: readonly Bound[] = [],
): readonly Tool[] {
  const lines = [
    ...Object.entries<Bound>(listed),
    ...derived.map(tool => [tool.declaration.name, tool] as const),
  ]
  const taken = new Map<string, string>()
  for (const [line, { declaration }] of lines) {
    if (line !== declaration.name)
      throw new Error(
        `The line "${line}" of tools.ts lists a tool that is named "${declaration.name}": give both the same name`,
      )
    for (const name of namesOf(declaration)) {
      const other = taken.get(name)
      if (other) throw new Error(`Tool name "${name}" is declared twice: by ${other} and ${line}`)
      taken.set(name, line)
    }
  }
  return lines.map(([, tool]) => tool as Tool).sort(inReadingOrder)
}

function namesOf({ name, aliases = [] }: ToolDeclaration): readonly string[] {
  return [name, ...aliases]
}

/** By toolset, shared tools last; readers before writers; then by name. */
function inReadingOrder(a: Tool, b: Tool): number {
  return (
    toolsetRank(a.declaration) - toolsetRank(b.declaration) ||
    Number(a.declaration.writes !== 'nothing') - Number(b.declaration.writes !== 'nothing') ||
    (a.declaration.name < b.declaration.name ? -1 : 1)
  )
}

function toolsetRank({ toolsets }: ToolDeclaration): number {
  return toolsets.length > 1 ? TOOLSETS.length : TOOLSETS.indexOf(toolsets[0]!)
}

type SoundLines<Tools extends Readonly<Record<string, Bound>>> = {
  readonly [Line in keyof Tools]: Tools[Line]['declaration']['name'] extends Line
    ? [TakenAlias<Tools, Line>] extends [never]
      ? unknown
      : { readonly declaration: { readonly aliases: `${TakenAlias<Tools, Line>} is taken` } }
    : { readonly declaration: { readonly name: Line } }
}

type TakenAlias<Tools extends Readonly<Record<string, Bound>>, Line extends keyof Tools> = Extract<
  AliasOf<Tools[Line]>,
  keyof Tools | AliasOf<Tools[Exclude<keyof Tools, Line>]>
> &
  string

/** Distributes over a union of tools: the aliases of each. */
type AliasOf<Item> = Item extends {
  readonly declaration: { readonly aliases: readonly (infer Alias)[] }
}
  ? Alias
  : never
