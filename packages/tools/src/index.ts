export { bind, type Tool } from './bind.ts'
export { catalog, findTool, inToolset } from './catalog.ts'
export type * from './client-context.ts'
export { toCatalogJson } from './derive/catalog.ts'
export { toGuidance } from './derive/guidance.ts'
export type { JsonSchema } from './derive/json-schema.ts'
export { toLabels } from './derive/labels.ts'
export { toMarkdown } from './derive/markdown.ts'
export { type McpTool, toMcp } from './derive/mcp.ts'
export { type OpenAiFunction, toOffers, toOpenAi } from './derive/openai.ts'
export {
  repairArguments,
  type UnknownArgument,
  type UnknownField,
  unknownArguments,
  unknownFields,
  withoutNulls,
} from './repair-arguments.ts'
export type * from './server-context.ts'
export { shapeOf } from './shape.ts'
