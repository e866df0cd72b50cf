import { type OperationTable, usageOf } from '@filewright/documents'

/** The format's own words, or every operation with its description. */
export function toGuidance(table: OperationTable): string {
  const { guidance, operations } = table
  const lines = guidance?.((...names) => usageOf(table, names)) ?? [
    `${Object.entries(operations)
      .map(([name, { does }]) => `${usageOf(table, [name])} ${does}`)
      .join('; ')}.`,
  ]
  return lines.join('\n')
}
