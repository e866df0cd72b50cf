import type { OperationResult } from '../../../../format.ts'
import { encodeAttribute, parseXml } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { aroundTexts } from '../../book/around.ts'
import type { Sheet } from '../../book/sheet.ts'
import { cellName, placeOf, refName } from '../../cell/address.ts'
import { parseRule, type RuleXml } from '../../conditional/parse-rule.ts'
import { type CellRule, rulesIn, rulesOf } from '../../conditional/rule.ts'
import { describeRule, ruleFields } from '../../conditional/rule-words.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { differenceXml } from '../../looks/difference-xml.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { boxesField, lookField, readingLooks } from './fields.ts'
import { setSheetPart } from './set-part.ts'

type Args = WorkbookArgs<'conditional_format'>

const LOCAL = 'conditionalFormatting'

/** Adds a rule; with `number` changes that one, with `remove` takes it away. */
export function conditionalFormat(editor: Editor, args: Args): OperationResult {
  const sheet = gridField(editor.book, args)
  if (args.remove) return removeRules(editor, sheet, args)
  const old = args.number === undefined ? undefined : numbered(editor, sheet, args)
  const range = args.range ?? old?.ref.replaceAll(' ', ',')
  const boxes = boxesField(sheet, { ...args, range })
  const ref = boxes.map(refName).join(' ')
  const { prefix } = prefixOfSheet(sheet)
  const given = args.rule ?? (old && ruleFields(old))
  const first = cellName(boxes[0]!.top, boxes[0]!.left)
  const styles = editor.book.part.styles()
  const place = { first, prefix, palette: styles.fixedPalette }
  const rule = readingLooks(() => parseRule(given, place))
  const difference = differenceFor(editor, args, rule, old)
  const isLast = args.stop ?? old?.isLast ?? false
  const priority = old?.priority ?? nextPriority(editor, sheet)
  const text = ruleText(prefix, ref, rule, { difference, isLast, priority })
  const added = rulesIn(parsed(text), formula => formula)[0]!
  const changed = `${placeOf(sheet.name, boxes.map(refName).join(','))} conditional format${old ? ` ${args.number}` : ''}`
  const words = describeRule(added, styles)
  if (editor.accepts(changed)) {
    const kept = old ? withoutRules(editor, sheet, [old]) : aroundTexts(sheet, LOCAL)
    setSheetPart(editor, sheet, LOCAL, [...kept, text], {
      place: changed,
      before: old ? describeRule(old, styles) : null,
      after: words,
      isAlone: !old,
    })
  }
  return {
    op: 'conditional_format',
    sheet: sheet.name,
    range: ref,
    message: `${old ? 'Changed' : 'Added'} the conditional format ${words} on ${JSON.stringify(sheet.name)}.`,
  }
}

function differenceFor(
  editor: Editor,
  args: Args,
  { isScale }: RuleXml,
  old: CellRule | undefined,
): number | undefined {
  const styles = editor.book.part.styles()
  const edit = lookField(args.style)
  if (isScale && edit)
    throw new Refusal('INVALID_ARGUMENT', 'a scale, bar or set of icons takes no style')
  if (isScale) return undefined
  if (!edit && old?.difference !== undefined) return old.difference
  if (!edit)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'conditional_format needs style, how cells look where the rule holds, such as {"fill": "FFC7CE", "color": "9C0006"}',
    )
  if (!styles.isReadable)
    throw new Refusal('UNREADABLE_FORMAT', 'the styles of the workbook cannot be read')
  const xml = readingLooks(() =>
    differenceXml(styles.prefix, styles.shown(edit), pattern => styles.formatId(pattern)),
  )
  return styles.differences.add(xml)
}

function ruleText(
  prefix: string,
  ref: string,
  { attributes, inner }: RuleXml,
  own: {
    readonly difference?: number | undefined
    readonly isLast: boolean
    readonly priority: number
  },
): string {
  const { type, ...rest } = attributes
  const all = {
    type: type!,
    ...(own.difference !== undefined && { dxfId: String(own.difference) }),
    priority: String(own.priority),
    ...(own.isLast && { stopIfTrue: '1' }),
    ...rest,
  }
  const shown = Object.entries(all).map(([name, value]) => ` ${name}="${encodeAttribute(value)}"`)
  const open = `<${prefix}cfRule${shown.join('')}`
  const rule = inner === '' ? `${open}/>` : `${open}>${inner}</${prefix}cfRule>`
  return `<${prefix}${LOCAL} sqref="${ref}">${rule}</${prefix}${LOCAL}>`
}

function removeRules(editor: Editor, sheet: Sheet, args: Args): OperationResult {
  const styles = editor.book.part.styles()
  const gone = chosen(editor, sheet, args)
  const words = gone.map(rule => describeRule(rule, styles)).join('; ')
  const place = `${placeOf(sheet.name, gone.length === 1 ? gone[0]!.ref.replaceAll(' ', ',') : 'all')} conditional format removed`
  if (editor.accepts(place)) {
    setSheetPart(editor, sheet, LOCAL, withoutRules(editor, sheet, gone), {
      place,
      before: words,
      after: null,
    })
    dropExtensions(editor, sheet, gone)
  }
  return {
    op: 'conditional_format',
    sheet: sheet.name,
    message: `Removed the conditional format ${words} from ${JSON.stringify(sheet.name)}.`,
  }
}

/** By number, by exact range, or all. */
function chosen(editor: Editor, sheet: Sheet, args: Args): readonly CellRule[] {
  const all = rulesOf(editor.book, sheet)
  if (args.number !== undefined) return [numbered(editor, sheet, args)]
  const wanted =
    args.range === undefined ? undefined : boxesField(sheet, args).map(refName).join(' ')
  const found = wanted === undefined ? all : all.filter(({ ref }) => ref === wanted)
  if (found.length > 0) return found
  throw new Refusal(
    'NO_SUCH_REGION',
    `${wanted ?? 'the sheet'} has no conditional format; ${listed(editor, sheet)}`,
  )
}

function numbered(editor: Editor, sheet: Sheet, { number }: Args): CellRule {
  const rule = rulesOf(editor.book, sheet)[number! - 1]
  if (rule) return rule
  throw new Refusal(
    'NO_SUCH_REGION',
    `there is no conditional format ${number}; ${listed(editor, sheet)}`,
  )
}

const MOST_LISTED = 20

function listed(editor: Editor, sheet: Sheet): string {
  const styles = editor.book.part.styles()
  const rules = rulesOf(editor.book, sheet).map(
    (rule, index) => `${index + 1}: ${describeRule(rule, styles)}`,
  )
  if (rules.length === 0) return `${JSON.stringify(sheet.name)} has none`
  return `${JSON.stringify(sheet.name)} has ${rules.slice(0, MOST_LISTED).join('; ')}`
}

/** The elements without those rules; an element that is left without a rule goes. */
function withoutRules(editor: Editor, sheet: Sheet, gone: readonly CellRule[]): readonly string[] {
  const left = gone.map(keyOf)
  return aroundTexts(sheet, LOCAL).flatMap(text => {
    const document = parsed(text)
    const rules = rulesIn(document, formula => editor.book.rewriteFormula(formula, sheet))
    const elements = document.root.children.filter(({ local }) => local === 'cfRule')
    const cut = elements.filter((_, index) => {
      const at = left.indexOf(keyOf(rules[index]!))
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
    if (cut.length === 0) return [text]
    if (cut.length === elements.length) return []
    let bytes = Buffer.from(text)
    for (const { start, end } of cut.toReversed())
      bytes = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
    return [bytes.toString('utf8')]
  })
}

function keyOf(rule: CellRule): string {
  return JSON.stringify([rule.ref, rule.priority, rule.type, rule.formulas])
}

/** Newer programs keep more about a bar or icons in an extension, by the rule's id: it goes with the rule. */
function dropExtensions(editor: Editor, sheet: Sheet, gone: readonly CellRule[]): void {
  const ids = gone.flatMap(({ extension }) => extension ?? [])
  const [text] = aroundTexts(sheet, 'extLst')
  if (ids.length === 0 || text === undefined) return
  let after = text
  for (const id of ids) {
    const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const own = new RegExp(
      `<((?:\\w+:)?conditionalFormatting)\\b[^>]*>(?:(?!</\\1>)[\\s\\S])*?<((?:\\w+:)?cfRule)\\b[^>]*\\sid="${escaped}"[\\s\\S]*?</\\1>`,
    )
    after = after.replace(own, '')
  }
  after = after.replace(
    /<((?:\w+:)?ext)\b[^>]*>\s*<((?:\w+:)?conditionalFormattings)\b[^>]*>\s*<\/\2>\s*<\/\1>/g,
    '',
  )
  const isEmpty = /^<((?:\w+:)?extLst)\b[^>]*>\s*<\/\1>$/.test(after)
  if (after !== text) editor.onUndo(sheet.setAround('extLst', isEmpty ? [] : [after]))
}

function nextPriority(editor: Editor, sheet: Sheet): number {
  const used = rulesOf(editor.book, sheet)
    .map(({ priority }) => priority)
    .filter(priority => priority < Number.MAX_SAFE_INTEGER)
  return Math.max(0, ...used) + 1
}

function prefixOfSheet(sheet: Sheet): { readonly prefix: string } {
  const xml = sheet.xml()
  return { prefix: xml.ok ? xml.value.prefix : '' }
}

function parsed(text: string) {
  const document = parseXml(Buffer.from(text))
  if (typeof document === 'string')
    throw new Refusal('UNREADABLE_FORMAT', `a conditional format is not well-formed: ${document}`)
  return document
}
