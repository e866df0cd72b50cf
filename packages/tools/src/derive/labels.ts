import type { Tool } from '../bind.ts'

/** What a person reads while a tool runs, by each of the tool's names; `labelOf` fills in the arguments. */
export function toLabels(tools: readonly Tool[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tools.flatMap(({ declaration: { name, aliases = [], label } }) =>
      [name, ...aliases].map(each => [each, label]),
    ),
  )
}
