import type { OfferedTool } from '@filewright/loop'
import { LIMITS } from '@filewright/protocol'
import type { OutsideTool } from './outside-tools.ts'

export interface OutsideOffer {
  readonly tools: readonly OfferedTool[]
  /** Names of those that the room is too small for. */
  readonly leftOut: readonly string[]
}

type Form = (tool: OutsideTool) => OfferedTool

/**
 * The tools that fit into the room, in bytes: with all their servers say, else with less of it, else the first of each
 * server in turn. What a person has not seen yet is never shown to a model: not the words of a definition that is new or
 * changed.
 */
export function offerOutside(tools: readonly OutsideTool[], room: number): OutsideOffer {
  for (const form of [whole, short]) {
    const offered = tools.map(form)
    if (sizeOf(offered) <= room) return { tools: offered, leftOut: [] }
  }
  const offered: OfferedTool[] = []
  const leftOut: string[] = []
  let left = room
  for (const tool of inTurn(tools)) {
    const bare = toOffer(tool, '', withoutWords(tool.parameters))
    const size = sizeOf([bare])
    if (size > left) leftOut.push(tool.name)
    else offered.push(bare)
    if (size <= left) left -= size
  }
  return { tools: offered, leftOut }
}

/** In bytes, as our own list is measured. */
export function sizeOf(tools: readonly OfferedTool[]): number {
  const sizes = tools.map(({ name, description, parameters, guidance }) =>
    Buffer.byteLength(JSON.stringify({ name, description, parameters, guidance })),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

/** With all that their servers say. */
export function wholeSize(tools: readonly OutsideTool[]): number {
  return sizeOf(tools.map(whole))
}

const SHORT_DESCRIPTION = 160 // characters: one sentence, mostly

const whole: Form = tool =>
  isSeen(tool) ? toOffer(tool, tool.description, shownParameters(tool)) : unseen(tool)

const short: Form = tool =>
  isSeen(tool) ? toOffer(tool, cut(tool.description), withoutWords(tool.parameters)) : unseen(tool)

/** Words that no person was shown reach no model. */
function shownParameters({ parameters }: OutsideTool): OutsideTool['parameters'] {
  const isShown = JSON.stringify(parameters).length <= LIMITS.outsideShownCharacters
  return isShown ? parameters : withoutWords(parameters)
}

function unseen(tool: OutsideTool): OfferedTool {
  return toOffer(tool, '', withoutWords(tool.parameters))
}

function isSeen({ standing }: OutsideTool): boolean {
  return standing === 'known'
}

function toOffer(
  tool: OutsideTool,
  words: string,
  parameters: OutsideTool['parameters'],
): OfferedTool {
  const { name, server, title } = tool
  return {
    name,
    description: [`"${title}" of the MCP server "${server}".`, sayStanding(tool), sayWords(words)]
      .filter(Boolean)
      .join(' '),
    parameters,
    guidance: '',
    readOnly: false,
    label: () => `${server}: ${title}`,
  }
}

function sayStanding({ standing }: OutsideTool): string {
  if (standing === 'new')
    return 'The person has not seen how it is defined; a call shows it to them.'
  if (standing === 'changed')
    return 'Its definition changed since the person saw it; a call shows it to them.'
  return ''
}

function sayWords(words: string): string {
  return words === '' ? '' : `Its server says: ${words}`
}

function cut(text: string): string {
  return text.length <= SHORT_DESCRIPTION ? text : `${text.slice(0, SHORT_DESCRIPTION)}…`
}

/** Keywords of a schema that hold no words of its author but names. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'items',
  'properties',
  'required',
  'anyOf',
  'additionalProperties',
])

/** Names and types alone. */
function withoutWords(
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (!KEPT.has(key)) return []
      if (key === 'properties') return [[key, ofEach(value as Schemas)]]
      if (key === 'anyOf') return [[key, (value as Schemas[]).map(withoutWords)]]
      const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value)
      return [[key, isSchema ? withoutWords(value as Schemas) : value]]
    }),
  )
}

type Schemas = Readonly<Record<string, unknown>>

function ofEach(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutWords(Object(schema))]),
  )
}

/** The first of each server, then the second of each, so that one long list does not push out the others. */
function inTurn(tools: readonly OutsideTool[]): readonly OutsideTool[] {
  const places = new Map<string, number>()
  return tools
    .map(tool => {
      const at = places.get(tool.server) ?? 0
      places.set(tool.server, at + 1)
      return { tool, at }
    })
    .sort((one, other) => one.at - other.at)
    .map(({ tool }) => tool)
}
