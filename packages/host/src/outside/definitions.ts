import { createHash } from 'node:crypto'
import {
  counted,
  type Fields,
  isFields,
  LIMITS,
  toOutsideName,
  visible,
  visibleName,
} from '@filewright/protocol'
import { plainSchema } from './plain-schema.ts'

/** A tool of a server, cleaned for a model and a person. */
export interface DefinedTool {
  /** As a run offers it. */
  readonly name: string
  /** As its server knows it. */
  readonly own: string
  readonly title: string
  readonly description: string
  readonly parameters: Fields
  readonly sha256: string
}

export interface Defined {
  readonly tools: readonly DefinedTool[]
  /** Why others are missing, one sentence each. */
  readonly troubles: readonly string[]
}

/** What a server lists as its tools: anything at all. */
export function readDefinitions(server: string, listed: readonly unknown[]): Defined {
  const tools = new Map<string, DefinedTool>()
  const wrong: string[] = []
  for (const given of listed.slice(0, LIMITS.outsideTools)) {
    const read = readDefinition(server, given)
    if (typeof read === 'string') wrong.push(read)
    else if (tools.has(read.name)) wrong.push(`two are called ${read.name}`)
    else tools.set(read.name, read)
  }
  const more = listed.length - LIMITS.outsideTools
  if (more > 0) wrong.push(`it has more than ${LIMITS.outsideTools}`)
  const reasons = [...new Set(wrong)].slice(0, MOST_REASONS).join('; ')
  const left = wrong.length + Math.max(0, more - 1)
  const trouble = `Of the MCP server "${server}", ${counted(left, 'tool')} cannot be offered: ${reasons}.`
  return { tools: [...tools.values()], troubles: wrong.length > 0 ? [trouble] : [] }
}

const MOST_REASONS = 5
const DESCRIPTION = 1_000 // characters: what real servers say of a tool
const TITLE = 80
const NAME = 64 // CONTRACT §4

/** A reason if it is no tool that could be offered. */
function readDefinition(server: string, given: unknown): DefinedTool | string {
  if (!isFields(given) || typeof given.name !== 'string' || given.name === '')
    return 'one has no name'
  const { name: own, description, inputSchema } = given
  const text = canonical(given)
  const title = cut(visibleName(own), TITLE)
  if (Buffer.byteLength(text) > LIMITS.outsideDefinitionBytes)
    return `the definition of "${title}" is longer than ${LIMITS.outsideDefinitionBytes / 1024} KB`
  const parameters = plainSchema(inputSchema)
  if (JSON.stringify(parameters).length > LIMITS.outsideDefinitionBytes)
    return `the arguments of "${title}" take more than ${LIMITS.outsideDefinitionBytes / 1024} KB`
  const said = typeof description === 'string' ? description : ''
  return {
    name: offeredName(server, own),
    own,
    title,
    description: cut(visible(said).replace(/\s+/g, ' ').trim(), DESCRIPTION),
    parameters,
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

/** Valid for every provider; a name that had to be changed says by a hash which one it was. */
export function offeredName(server: string, own: string): string {
  const name = toOutsideName(server, own.replace(/[^a-zA-Z0-9_-]/g, '_'))
  if (name.length <= NAME) return name
  const hash = createHash('sha256').update(own).digest('hex').slice(0, 8)
  return `${name.slice(0, NAME - 9)}_${hash}`
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

/** The same text for the same definition, whatever the order of its fields. `_meta` and pictures define nothing. */
function canonical(given: Fields): string {
  const { _meta, icons, ...definition } = given
  return JSON.stringify(sorted(definition))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
