import { BYTES_PER_TOKEN, type OfferedTool } from '@filewright/loop'
import { LIMITS, labelOf, type Toolset } from '@filewright/protocol'
import { catalog, findTool, inToolset, type Tool, toOffers } from '@filewright/tools'

/** A smaller window gets the light tools (CONTRACT §4). */
export const SMALL_WINDOW = 16_384

export interface OfferFor {
  readonly toolset: Toolset
  readonly isPlan: boolean
  readonly isLight: boolean
  /** The model's context, in tokens. */
  readonly window: number
  /** For a helper that answers a delegated question: what only reads files. */
  readonly isHelper?: boolean
  /** In bytes, where tools from outside take a part of it. */
  readonly room?: number
}

const offers = new Map<string, readonly OfferedTool[]>()

/**
 * The tools of a toolset as a model sees them, the same array each time: in at most a quarter of its window, and 24 KB.
 * Planning offers only tools that read.
 */
export function offeredTools(wanted: OfferFor): readonly OfferedTool[] {
  const room = wanted.room ?? offerRoom(wanted)
  const tools = inToolset(catalog, wanted.toolset).filter(tool => isFor(tool, wanted))
  const key = [room, ...tools.map(({ declaration }) => declaration.name)].join(' ')
  const held = offers.get(key)
  if (held) return held
  const made = toOffers(tools, room).map((offer): OfferedTool => {
    const { declaration } = findTool(offer.name)!
    return {
      ...offer,
      readOnly: declaration.writes === 'nothing',
      label: args => labelOf(declaration, args),
      ...(declaration.aliases && { aliases: declaration.aliases }),
      ...(declaration.delegates && { delegates: true }),
    }
  })
  offers.set(key, made)
  return made
}

/** Of the whole list, in bytes: a quarter of the window, and 24 KB. */
export function offerRoom({ window }: Pick<OfferFor, 'window'>): number {
  const quarter = window * LIMITS.offeredContextShare * BYTES_PER_TOKEN
  return Math.floor(Math.min(LIMITS.offeredBytes, quarter))
}

function isFor({ declaration }: Tool, { isPlan, isLight, isHelper, window }: OfferFor): boolean {
  const { writes, leastWindow = 0, servesPlanning, asksPerson, delegates } = declaration
  if ((isPlan || isHelper) && writes !== 'nothing') return false
  if (isHelper && (servesPlanning || asksPerson || delegates)) return false
  if (window < leastWindow && !(isPlan && servesPlanning)) return false
  return declaration.window !== (isLight ? 'large' : 'small')
}

/** The tools of a toolset that may run side by side, by all their names: they change nothing, and no model answers them. */
export function readsOf(toolset: Toolset): readonly string[] {
  return inToolset(catalog, toolset).flatMap(({ declaration }) => {
    const { name, aliases = [], writes, delegates } = declaration
    return writes === 'nothing' && !delegates ? [name, ...aliases] : []
  })
}
