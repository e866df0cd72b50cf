import { FORMATS } from '@filewright/documents'
import {
  type Fields,
  isFields,
  isSameName,
  lookUp,
  parseIfJson,
  similarNames,
  type ToolDeclaration,
} from '@filewright/protocol'
import { z } from 'zod'
import { optionsOf, unwrapped } from './shape.ts'

type Synonyms = Readonly<Record<string, readonly string[]>>

/** Names that models use for an argument when they ignore the schema. */
const SYNONYMS = joined([
  {
    path: [
      ...['file', 'filename', 'filepath', 'docPath', 'target', 'source', 'from'],
      ...['folder', 'directory', 'dir', 'under', 'prefix'],
    ],
    content: ['text', 'contents', 'body', 'data'],
    edits: ['changes', 'replacements'],
    operations: ['ops', 'actions', 'commands'],
    id: ['changeId', 'batchId', 'filePatchId', 'toolCallId'],
    pattern: ['glob', 'filter', 'query', 'name', 'named', 'extension'],
    search: ['find', 'old', 'oldString', 'oldStr', 'oldText', 'original', 'pattern', 'from'],
    replace: ['new', 'newString', 'newStr', 'newText', 'replacement', 'replaceWith', 'with', 'to'],
    all: ['replaceAll', 'global', 'everywhere'],
    from: ['path', 'source', 'src', 'oldPath', 'oldName', 'sourcePath'],
    to: [
      'target',
      'destination',
      'dest',
      'dst',
      'newPath',
      'newName',
      'targetPath',
      'destinationPath',
    ],
    op: ['operation', 'type', 'action', 'command', 'kind'],
  },
  ...FORMATS.map(({ synonyms = {} }) => synonyms),
])

/** The names under which an argument may arrive. */
export function namesFor(field: string): readonly string[] {
  return [field, ...(SYNONYMS[field] ?? [])]
}

/** Words that models use for an allowed value of an argument. */
const WORDS = joined([
  { move: ['rename', 'mv'], copy: ['cp', 'duplicate'], delete: ['remove', 'rm', 'unlink'] },
  ...FORMATS.map(({ editing }) =>
    Object.fromEntries(
      Object.entries(editing?.operations?.operations ?? {}).map(([name, { synonyms = [] }]) => [
        name,
        synonyms,
      ]),
    ),
  ),
])

/** Merges the synonyms that several sources declare for one name. */
function joined(tables: readonly Synonyms[]): Synonyms {
  const all: Record<string, readonly string[]> = {}
  for (const [name, words] of tables.flatMap(Object.entries<readonly string[]>))
    all[name] = [...(all[name] ?? []), ...words]
  return all
}

/**
 * The arguments as they were probably meant, where only names and types are wrong, at any depth: an argument under
 * another name, `"5"` for 5, one object for a list of one, the fields of such an object next to the others. Undefined
 * unless the result fits the schema. Offered, never used unasked.
 */
export function repairArguments(
  { input: schema, meant = as => as }: Pick<ToolDeclaration, 'input' | 'meant'>,
  given: unknown,
): Record<string, unknown> | undefined {
  if (!isFields(given)) return undefined
  for (const sent of [given, inTheirList(schema, given)]) {
    const attempt = sent && (meant(sent) as Fields)
    const repaired = attempt && repairFields(schema, attempt)
    if (repaired && schema.safeParse(repaired).success) return repaired
  }
  return undefined
}

function repair(schema: z.ZodType, value: unknown): unknown {
  const plain = unwrapped(schema)
  const mayHoldFields = plain instanceof z.ZodObject || plain instanceof z.ZodArray
  if (!mayHoldFields && schema.safeParse(value).success) return value
  if (plain instanceof z.ZodArray) {
    const list = parseIfJson(value)
    const items = Array.isArray(list) ? list : [list]
    return items.map(item => repair(plain.element as z.ZodType, item))
  }
  if (plain instanceof z.ZodObject)
    return isFields(value)
      ? repairFields(plain, value)
      : (fromList(plain, value) ?? parseIfJson(value))
  if (plain instanceof z.ZodDiscriminatedUnion)
    return isFields(value) ? repairOption(plain, value) : value
  if (plain instanceof z.ZodEnum && typeof value === 'string')
    return wordFor(value, plain.options as string[]) ?? value
  return toType(schema, value)
}

/** `["old", "new"]` for `{search: "old", replace: "new"}`. */
function fromList(schema: z.ZodObject, value: unknown): unknown {
  const needed = Object.entries(schema.shape).filter(
    ([, field]) => !(field as z.ZodType).isOptional(),
  )
  if (!Array.isArray(value) || value.length !== needed.length) return undefined
  return Object.fromEntries(needed.map(([name], i) => [name, value[i]]))
}

function repairFields(schema: z.ZodObject, given: Fields): Fields {
  const repaired: Record<string, unknown> = {}
  const fields = Object.keys(schema.shape)
  const isLoose = schema.def.catchall !== undefined
  for (const [name, value] of Object.entries(given)) {
    const field = fields.includes(name) ? name : fieldFor(name, fields, given)
    if (field !== undefined) repaired[field] = repairField(field, schema, value)
    else if (isLoose) repaired[name] = value
  }
  return repaired
}

const PATHS = ['path', 'from', 'to', 'copy_from']

/** Lines can be joined into text, but several paths are not a path. */
function repairField(name: string, schema: z.ZodObject, value: unknown): unknown {
  if (PATHS.includes(name) && Array.isArray(value) && value.length > 1) return value
  return repair(schema.shape[name] as z.ZodType, value)
}

/** Chooses by the discriminating value. */
function repairOption(union: z.ZodDiscriminatedUnion, given: Fields): unknown {
  const { discriminator } = union.def
  const sent = given[discriminator] ?? given[fieldFrom(discriminator, given) ?? '']
  const literal = (option: z.ZodObject) =>
    String((unwrapped(option.shape[discriminator] as z.ZodType) as z.ZodLiteral).value)
  const word = wordFor(String(sent), optionsOf(union).map(literal))
  const option = optionsOf(union).find(each => literal(each) === word)
  if (!option) return given
  const { [fieldFrom(discriminator, given) ?? '']: _, ...rest } = given
  return repairFields(option, { ...rest, [discriminator]: word })
}

function fieldFrom(field: string, given: Fields): string | undefined {
  return Object.keys(given).find(name => isSynonym(field, name))
}

/**
 * `{path, search, replace}` for `{path, edits: [{search, replace}]}`: fields that belong to an entry of the one missing
 * list.
 */
function inTheirList(schema: z.ZodObject, given: Fields): Fields | undefined {
  const missing = Object.entries(schema.shape).filter(
    ([name, field]) =>
      given[name] === undefined && unwrapped(field as z.ZodType) instanceof z.ZodArray,
  )
  const [list] = missing
  if (!list || missing.length > 1) return undefined
  const others = Object.keys(schema.shape).filter(name => name !== list[0])
  const isOwn = ([name]: [string, unknown]) =>
    Object.hasOwn(schema.shape, name) || fieldFor(name, others, given) !== undefined
  const own = Object.entries(given).filter(isOwn)
  const entry = Object.entries(given).filter(field => !isOwn(field))
  if (entry.length === 0) return undefined
  return { ...Object.fromEntries(own), [list[0]]: [Object.fromEntries(entry)] }
}

/** Some models send every argument, with null for those they do not mean, even in the entries of lists. */
export function withoutNulls(schema: z.ZodType, given: unknown): unknown {
  return mayHoldNull(given) ? leaveOutNulls(schema, given) : given
}

/** Most calls have none, and then the schema is not inspected. A list may arrive as a string. */
function mayHoldNull(value: unknown): boolean {
  if (typeof value === 'string') return LIST.test(value)
  if (typeof value !== 'object' || value === null) return value === null
  for (const key in value) if (mayHoldNull((value as Fields)[key])) return true
  return false
}

const LIST = /^\s*\[/

function leaveOutNulls(schema: z.ZodType, given: unknown): unknown {
  const plain = unwrapped(schema)
  if (plain instanceof z.ZodArray) {
    const item = plain.element as z.ZodType
    const list = parseIfJson(given)
    if (!Array.isArray(list) || !(unwrapped(item) instanceof z.ZodObject)) return given
    const items = list.map(entry => leaveOutNulls(item, entry))
    return items.some((entry, i) => entry !== list[i]) ? items : given
  }
  if (!(plain instanceof z.ZodObject) || !isFields(given)) return given
  const entries = Object.entries(given)
  const kept = entries.flatMap(([name, value]): [string, unknown][] => {
    const field = lookUp(plain.shape, name) as z.ZodType | undefined
    if (!field) return [[name, value]]
    return value === null && isLeftOut(field) ? [] : [[name, leaveOutNulls(field, value)]]
  })
  const isSame =
    kept.length === entries.length && kept.every(([, own], i) => own === entries[i]![1])
  return isSame ? given : Object.fromEntries(kept)
}

/** A value of any type may be null; a value parsed from any type as text means nothing by null. */
function isLeftOut(field: z.ZodType): boolean {
  return field.isOptional() && !(field instanceof z.ZodNullable) && !isAny(unwrapped(field))
}

function isAny(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodAny
}

export interface UnknownArgument {
  readonly name: string
  /** The argument it may mean. */
  readonly meant?: string
  /** It certainly means that one, so ignoring it would do something other than requested. */
  readonly isMeant: boolean
  /** It comments on the call and does not change what is done. */
  readonly isRemark: boolean
}

/** Arguments that models add to explain the call. */
const REMARKS = [
  'comment',
  'description',
  'explanation',
  'intent',
  'justification',
  'label',
  'message',
  'note',
  'notes',
  'purpose',
  'rationale',
  'reason',
  'reasoning',
  'summary',
  'thought',
  'thoughts',
  'title',
]

export function unknownArguments(schema: z.ZodObject, given: unknown): UnknownArgument[] {
  if (!isFields(given)) return []
  const fields = Object.keys(schema.shape)
  return Object.entries(given)
    .filter(([name]) => !fields.includes(name))
    .map(([name, value]) => {
      const meant = fieldFor(name, fields, given)
      const isMeant = meant !== undefined && (isSameName(name, meant) || isSynonym(meant, name))
      const isRemark = value === null || REMARKS.some(remark => isSameName(name, remark))
      return { name, ...(meant && { meant }), isMeant, isRemark }
    })
}

export interface UnknownField {
  /** `operations[0].column` */
  readonly place: string
  /** The field it may mean: ignoring it would do something other than requested. */
  readonly meant?: string
}

const MOST_FIELDS = 20

/** Fields in the entries of lists that their schema lacks. Known synonyms do not count. */
export function unknownFields(
  { input, understands = [] }: Pick<ToolDeclaration, 'input' | 'understands'>,
  given: unknown,
): UnknownField[] {
  const found: UnknownField[] = []
  const look = (schema: z.ZodType, value: unknown, place: string) => {
    const plain = unwrapped(schema)
    if (found.length >= MOST_FIELDS) return
    if (plain instanceof z.ZodArray && Array.isArray(value)) {
      if (unwrapped(plain.element as z.ZodType) instanceof z.ZodObject)
        for (const [i, item] of value.entries())
          look(plain.element as z.ZodType, item, `${place}[${i}]`)
    } else if (plain instanceof z.ZodObject && isFields(value)) {
      const fields = Object.keys(plain.shape)
      for (const [name, inner] of Object.entries(value))
        if (fields.includes(name))
          look(plain.shape[name] as z.ZodType, inner, place === '' ? name : `${place}.${name}`)
        else if (place !== '' && !understands.includes(name)) {
          const meant = fieldFor(name, fields, value)
          found.push({ place: `${place}.${name}`, ...(meant && { meant }) })
        }
    }
  }
  look(input, given, '')
  return found
}

function fieldFor(name: string, fields: readonly string[], given: Fields): string | undefined {
  const free = fields.filter(field => given[field] === undefined)
  return free.find(field => isSynonym(field, name)) ?? similarNames(name, free)[0]
}

function isSynonym(field: string, name: string): boolean {
  return SYNONYMS[field]?.some(synonym => isSameName(synonym, name)) === true
}

/** One of these words, in another spelling or by a synonym. */
export function wordFor(sent: string, words: readonly string[]): string | undefined {
  const same = words.find(word => isSameName(word, sent))
  const other = words.find(word => WORDS[word]?.some(synonym => isSameName(synonym, sent)))
  return same ?? other
}

function toType(schema: z.ZodType, value: unknown): unknown {
  if (value === null) return value
  const isLines = Array.isArray(value) && value.every(line => typeof line === 'string')
  const isText = typeof value === 'string' // quotes do not fix an empty one
  const text = isLines ? value.join('\n') : isText ? value : JSON.stringify(value, null, 2)
  const candidates = [value, parseIfJson(value), [value], text]
  return candidates.find(candidate => schema.safeParse(candidate).success) ?? value
}
