import {
  fail,
  quotedTool,
  type Result,
  similarTools,
  type ToolDeclaration,
  type Toolset,
} from '@filewright/protocol'
import { catalog, inToolset, type McpTool, type Tool, toMcp } from '@filewright/tools'
import { z } from 'zod'
import { ownTools } from './own-tools.ts'

/** The tools of one connection: it can call nothing else (CONTRACT §4). */
export interface Offer {
  /** The answer to `tools/list`. */
  readonly listed: readonly ListedTool[]
  /** By its name or an alias. */
  find(name: string): Result<ToolDeclaration>
}

type ListedTool = Omit<McpTool, 'outputSchema'> & { readonly _meta?: object }

/** Tools beside those of the catalog, and what is said of some of them in the list. */
export interface OwnTools {
  readonly id: string
  readonly tools: readonly ToolDeclaration[]
  readonly meta: Readonly<Record<string, object>>
}

export const withoutReview: OwnTools = { id: '', tools: ownTools, meta: {} }

const offers = new Map<string, Offer>()

export function offerOf(toolset: Toolset, own: OwnTools): Offer {
  const key = `${toolset} ${own.id}`
  let offer = offers.get(key)
  if (!offer) {
    offer = createOffer(toolset, own)
    offers.set(key, offer)
  }
  return offer
}

function createOffer(toolset: Toolset, { tools: ownTools, meta }: OwnTools): Offer {
  const own = ownTools.map(declaration => ({ declaration, handlers: {} }) as unknown as Tool)
  const offered = [...inToolset(catalog, toolset).filter(isForOthers), ...own]
  const taking = toolset === 'workshop' ? offered.map(withDraftId) : offered
  const { tools } = toMcp(taking, toolset)
  const names = tools.map(({ name }) => name)
  const byName = new Map(
    offered
      .filter(({ declaration }) => names.includes(declaration.name))
      .flatMap(({ declaration }) =>
        [declaration.name, ...(declaration.aliases ?? [])].map(
          name => [name, declaration] as const,
        ),
      ),
  )
  return {
    listed: tools.map(({ outputSchema: _, ...tool }) => {
      const _meta = meta[tool.name]
      return _meta ? { ...tool, _meta } : tool
    }),
    find(name) {
      const found = byName.get(name)
      return found ? { ok: true, value: found } : unknownTool(name, names)
    },
  }
}

/** Not those that only make sense in a run of our own: the product has its own model, plan and person. */
function isForOthers({ declaration }: Tool): boolean {
  const { asksPerson, delegates, servesPlanning, window } = declaration
  return !(asksPerson || delegates || servesPlanning) && window !== 'small'
}

const draft = { draft_id: z.string().optional().describe('Not the standing draft, but this one') }

function withDraftId(tool: Tool): Tool {
  const { declaration } = tool
  if ('draft_id' in declaration.input.shape || declaration.toolsets.length > 1) return tool
  const shorter = declaration.shorter?.map(form => ({ ...form, input: form.input.extend(draft) }))
  const input = declaration.input.extend(draft)
  return { ...tool, declaration: { ...declaration, input, ...(shorter && { shorter }) } } as Tool
}

const SHOWN_NAME = 80

function unknownTool(sent: string, names: readonly string[]): Result<never> {
  const name = sent.length > SHOWN_NAME ? `${sent.slice(0, SHOWN_NAME)}…` : sent
  const similar = similarTools(name, [...names])
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
  return fail(
    'UNKNOWN_TOOL',
    `There is no tool ${quotedTool(name)} here.${hint} The tools are ${names.join(', ')}.`,
    { details: { tools: names } },
  )
}
