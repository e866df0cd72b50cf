import { LIMITS, TOOLSETS, type ToolDeclaration, type Toolset } from '@filewright/protocol'
import type { Tool } from '../bind.ts'
import { sentencesOf } from './describe.ts'
import type { JsonSchema } from './json-schema.ts'
import { toPlainSchema } from './plain-schema.ts'
import { sayOnlyOffered } from './say-only-offered.ts'
import { withoutDescriptions } from './without-descriptions.ts'

/** What a model reads about a tool. */
export interface ShownTool {
  readonly declaration: ToolDeclaration
  readonly guidance: string
  readonly parameters: JsonSchema
}

/** How much of a tool is shown. */
interface Form {
  /** 0 is all of it, n its n-th shorter form. */
  readonly shorter: number
  /** How many sentences of its guidance. */
  readonly sentences: number
  readonly hasDescriptions: boolean
}

const WHOLE: Form = { shorter: 0, sentences: Number.POSITIVE_INFINITY, hasDescriptions: true }

/**
 * The tools with as much of their texts as fits into the room. Operations are shortened first, those of the longest tool
 * before the others: a model can ask for what it needs of them. Where even names and types do not fit, as in a window of
 * 4k, the longest tools that are not basic are left out.
 */
export function fitTools<Item>(
  tools: readonly Tool[],
  room: number,
  { toItem, sizeOf }: Listing<Item>,
): readonly Item[] {
  let items: readonly Item[] = []
  for (const forms of formsOf(tools)) {
    items = show(tools, forms).map(toItem)
    const size = items.reduce((total, item) => total + sizeOf(item), 0)
    if (size <= room) break
  }
  return items
}

/** In bytes. Without a toolset the list is every model's list at once, and no model is offered it. */
export function roomFor(toolset: Toolset | undefined): number {
  return toolset ? LIMITS.offeredBytes : LIMITS.offeredBytes * TOOLSETS.length
}

export interface Listing<Item> {
  toItem(tool: ShownTool): Item
  /** In bytes. */
  sizeOf(item: Item): number
}

type Forms = ReadonlyMap<Tool, Form>

/** From the longest list to the shortest. */
function* formsOf(tools: readonly Tool[]): Generator<Forms> {
  const forms = new Map(tools.map(tool => [tool, WHOLE]))
  yield forms
  const shortenable = byLength(tools.filter(({ declaration }) => declaration.shorter))
  const shorten = (tool: Tool, shorter: number) => forms.set(tool, { ...forms.get(tool)!, shorter })
  const changeAll = (change: Partial<Form>) => {
    for (const [tool, form] of forms) forms.set(tool, { ...form, ...change })
  }
  for (const tool of shortenable) yield shorten(tool, 1)
  for (const tool of shortenable) yield shorten(tool, 2)
  changeAll({ sentences: 1 })
  yield forms
  changeAll({ hasDescriptions: false })
  yield forms
  for (const tool of shortenable) yield shorten(tool, 3)
  changeAll({ sentences: 0 })
  yield forms
  for (const tool of byLength(tools.filter(({ declaration }) => !declaration.isBasic))) {
    forms.delete(tool)
    yield forms
  }
}

function byLength(tools: readonly Tool[]): readonly Tool[] {
  return [...tools].sort((a, b) => lengthOf(b) - lengthOf(a))
}

function lengthOf({ declaration: { input, guidance } }: Tool): number {
  return JSON.stringify(toPlainSchema(input)).length + guidance.length
}

function show(tools: readonly Tool[], forms: Forms): readonly ShownTool[] {
  const hasShorter = [...forms.values()].some(({ shorter }) => shorter > 0)
  const offered = tools.filter(
    tool => forms.has(tool) && (hasShorter || !tool.declaration.explainsShorter),
  )
  const names = new Set(offered.map(({ declaration }) => declaration.name))
  return offered.map(tool => {
    const { declaration } = tool
    const { shorter, sentences, hasDescriptions } = forms.get(tool)!
    const { input, guidance } = declaration.shorter?.slice(0, shorter).at(-1) ?? declaration
    const parameters = toPlainSchema(input)
    const said = sayOnlyOffered(guidance, names)
    return {
      declaration,
      guidance: Number.isFinite(sentences) ? sentencesOf(said).slice(0, sentences).join(' ') : said,
      parameters: hasDescriptions ? parameters : withoutDescriptions(parameters),
    }
  })
}
