import type { ToolOffer } from '@filewright/protocol'

/** A tool call that a model wrote as text. */
export interface WrittenCall {
  readonly name: string
  /** The JSON text of an object. */
  readonly arguments: string
}

export interface WrittenCalls {
  /** In the order written; none where something looks like a call and cannot be read as one. */
  readonly calls: readonly WrittenCall[]
  /** The answer before them. */
  readonly text: string
  /** In a form that nothing but a call has, such as `<tool_call>`. */
  readonly isMarked: boolean
}

interface Found {
  readonly calls: readonly WrittenCall[]
  /** Where in the text they begin. */
  readonly at: number
  readonly isMarked?: boolean
}

const MOST_CALLS = 20

/**
 * Calls at the very end of an answer, in the forms that models are trained on. Each begins its line, and none is inside a
 * fence of something else or behind a quotation mark: an answer that only shows a call makes none.
 */
export function findWrittenCalls(
  answer: string,
  tools: readonly ToolOffer[],
): WrittenCalls | undefined {
  let text = answer.trimEnd()
  const calls: WrittenCall[] = []
  let isBroken = false
  let isMarked = false
  for (let count = 0; count < MOST_CALLS; count++) {
    const found =
      inFence(text, tools) ?? inTags(text, tools) ?? marked(text) ?? bare(text) ?? named(text)
    if (!found || isInside(text.slice(0, found.at))) break
    isBroken ||= found.calls.length === 0
    isMarked ||= found.isMarked === true
    calls.unshift(...found.calls)
    text = text
      .slice(0, found.at)
      .trimEnd()
      .replace(/<function_calls>$/, '')
      .trimEnd()
  }
  if (calls.length === 0 && !isBroken) return undefined
  return { calls: isBroken ? [] : calls, text, isMarked }
}

/** Whether what follows this text is inside a fence. */
function isInside(before: string): boolean {
  return (before.match(/^[ \t]*(```|~~~)/gm)?.length ?? 0) % 2 === 1
}

function inFence(text: string, tools: readonly ToolOffer[]): Found | undefined {
  const fence = /(^|\n)```[\w-]*[ \t]*\n((?:(?!```)[\s\S])*)\n?```$/.exec(text)
  if (!fence) return undefined
  const content = fence[2]!.trim()
  const found = inTags(content, tools) ?? marked(content) ?? bare(content) ?? named(content)
  return found?.at === 0 ? { ...found, at: fence.index } : undefined
}

const TAGGED =
  /(?:^|\n)[ \t]*(<tool_call>|<function_calls>|<function=|<invoke )((?:(?!\n[ \t]*(?:<tool_call>|<function_calls>))[\s\S])*)$/
const NAME = /<(?:function=|invoke name=)"?([\w.-]+)"?\s*>/
const PARAMETER = /<parameter(?:=| name=)"?([\w.-]+)"?\s*>([\s\S]*?)<\/parameter>/g

/** `<tool_call>` with JSON or with tags in it, `<function=…>` and `<invoke …>`. */
function inTags(text: string, tools: readonly ToolOffer[]): Found | undefined {
  const tagged = TAGGED.exec(text)
  if (!tagged || !/>\s*$/.test(text)) return undefined
  const at = tagged.index + tagged[0].indexOf(tagged[1]!)
  const inner = text.slice(at)
  const json = inner.replace(/^<tool_call>\s*/, '').replace(/\s*<\/tool_call>$/, '')
  const value = parseJson(json)
  if (value !== undefined) return { calls: toCalls(value), at, isMarked: true }
  const pieces = inner.split(/(?=<function=|<invoke )/).filter(piece => NAME.test(piece))
  return { calls: pieces.flatMap(piece => fromTags(piece, tools)), at, isMarked: true }
}

function fromTags(piece: string, tools: readonly ToolOffer[]): WrittenCall[] {
  const opening = NAME.exec(piece)!
  const name = opening[1]!
  const body = piece
    .slice(opening.index + opening[0].length)
    .replace(/<\/[\s\S]*$/, '')
    .trim()
  if (body.startsWith('{')) {
    const args = parseJson(body)
    return isObject(args) ? [{ name, arguments: JSON.stringify(args) }] : []
  }
  const given = [...piece.matchAll(PARAMETER)].map(
    ([, key, value]) => [key!, trimmed(value!)] as const,
  )
  const properties = (tools.find(tool => tool.name === name)?.parameters as ObjectSchema)
    ?.properties
  const args = given.map(([key, value]) => {
    const isText = properties?.[key]?.type === 'string'
    return [key, isText ? value : (parseJson(value) ?? value)] as const
  })
  return [{ name, arguments: JSON.stringify(Object.fromEntries(args)) }]
}

type ObjectSchema =
  | { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  | undefined

/** The line breaks next to the tags are not part of the value. */
function trimmed(value: string): string {
  return value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
}

/** Mistral: `[TOOL_CALLS][{…}]`, or `[TOOL_CALLS]name{…}`. */
function marked(text: string): Found | undefined {
  const mark = /(?:^|\n)[ \t]*\[TOOL_CALLS\]\s*([\w.-]*)(?:\[ARGS\])?\s*([[{][\s\S]*)$/.exec(text)
  if (!mark) return undefined
  const at = mark.index + mark[0].indexOf('[TOOL_CALLS]')
  const value = parseJson(mark[2]!)
  if (mark[1] === '')
    return { calls: value === undefined ? [] : toCalls(value), at, isMarked: true }
  const calls = isObject(value) ? [{ name: mark[1]!, arguments: JSON.stringify(value) }] : []
  return { calls, at, isMarked: true }
}

/** One JSON object, or a list of them, from the beginning of a line to the end. */
function bare(text: string): Found | undefined {
  if (!/[}\]]$/.test(text)) return undefined
  for (const { index, 0: line } of text.matchAll(/(?:^|\n)[ \t]*[[{]/g)) {
    const at = index + line.length - 1
    const value = parseJson(text.slice(at))
    if (value === undefined) continue
    const calls = toCalls(value)
    return calls.length > 0 ? { calls, at } : undefined
  }
  return undefined
}

/** `read_file({…})`. */
function named(text: string): Found | undefined {
  const call = /(?:^|\n)[ \t]*([a-z][\w.]*)\(\s*(\{[\s\S]*\})?\s*\);?$/.exec(text)
  if (!call) return undefined
  const args = call[2] === undefined ? {} : parseJson(call[2])
  if (!isObject(args)) return undefined
  const at = call.index + call[0].indexOf(call[1]!)
  return { calls: [{ name: call[1]!, arguments: JSON.stringify(args) }], at }
}

const NAMES = ['name', 'tool', 'tool_name', 'function', 'action']
const ARGUMENTS = ['arguments', 'parameters', 'args', 'params', 'input', 'action_input']

/** None unless every object of it names a tool and its arguments. */
function toCalls(value: unknown): readonly WrittenCall[] {
  const listed = isObject(value) && Array.isArray(value.tool_calls) ? value.tool_calls : value
  const calls = (Array.isArray(listed) ? listed : [listed]).map(toCall)
  return calls.every(call => call !== undefined) ? calls : []
}

function toCall(value: unknown): WrittenCall | undefined {
  if (!isObject(value)) return undefined
  if (isObject(value.function)) return toCall(value.function)
  const name = NAMES.map(key => value[key]).find(each => typeof each === 'string')
  const key = ARGUMENTS.find(each => each in value)
  const given = key === undefined ? undefined : value[key]
  const args = typeof given === 'string' ? parseJson(given) : given
  if (typeof name !== 'string' || !isObject(args)) return undefined
  return { name: name.replace(/^functions\./, ''), arguments: JSON.stringify(args) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
