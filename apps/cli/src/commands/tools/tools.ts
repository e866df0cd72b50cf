import type { Toolset } from '@filewright/protocol'
import { catalog, toCatalogJson, toMarkdown, toMcp, toOpenAi } from '@filewright/tools'
import { answer, answerJson } from '../../output/output.ts'

export interface ToolsOptions {
  readonly json?: boolean
  readonly openai?: boolean
  readonly mcp?: boolean
  readonly markdown?: boolean
  readonly toolset?: Toolset
}

export function tools({ json, openai, mcp, markdown, toolset }: ToolsOptions): void {
  if (openai) return answerJson(toOpenAi(catalog, toolset))
  if (mcp) return answerJson(toMcp(catalog, toolset))
  if (json) return answerJson(toCatalogJson(catalog, toolset))
  if (markdown) return answer(toMarkdown(catalog))
  for (const { declaration } of catalog)
    if (!toolset || declaration.toolsets.includes(toolset))
      answer(`${declaration.name.padEnd(30)} ${declaration.summary}`)
}
