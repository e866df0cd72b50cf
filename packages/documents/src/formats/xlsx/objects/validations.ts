import type { Box } from '@filewright/protocol'
import { encodeAttribute, encodeText, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import { boxesText, parseBoxes, touchesAny, withoutBoxes } from './box-lists.ts'
import type { SheetFrame } from './live-book.ts'
import { recount } from './table-part.ts'

/** What cells may hold, as the file says it. */
export interface Validation {
  /** `list`, `whole`, `decimal`, `date`, `time`, `textLength`, `custom`; `none` allows anything. */
  readonly type: string
  readonly operator?: string
  readonly formula1?: string
  readonly formula2?: string
  readonly allowBlank?: boolean
  readonly errorStyle?: string
  readonly title?: string
  readonly prompt?: string
  readonly errorTitle?: string
  readonly error?: string
}

export interface FoundValidation extends Validation {
  readonly boxes: readonly Box[]
  readonly node: LiveNode
  /** An extension of Excel 2010, for lists on other sheets. */
  readonly isExtended: boolean
}

/** All validations of a sheet, of both forms. */
export function validationsOf(frame: SheetFrame): FoundValidation[] {
  const { tree } = frame
  const plain = childrenOf(frame.find('dataValidations'), 'x:dataValidation')
  const extended = [...(frame.find('extLst')?.all('x14:dataValidation') ?? [])]
  return [
    ...plain.map(node => ({
      ...readValidation(tree, node, 'x:'),
      boxes: parseBoxes(tree.attribute(node, 'sqref') ?? ''),
      node,
      isExtended: false,
    })),
    ...extended.map(node => ({
      ...readValidation(tree, node, 'x14:'),
      boxes: parseBoxes(textOf(tree, node.child('xm:sqref')) ?? ''),
      node,
      isExtended: true,
    })),
  ]
}

function childrenOf(node: LiveNode | undefined, name: string): LiveNode[] {
  return (node?.children ?? []).filter(own => own.name === name)
}

function readValidation(tree: LiveTree, node: LiveNode, prefix: string): Validation {
  const formula = (local: string) => {
    const own = node.child(`${prefix}${local}`)
    return textOf(tree, own?.child('xm:f') ?? own)
  }
  const text = (name: string) => tree.attribute(node, name)
  const flag = text('allowBlank')
  const given: Record<keyof Validation, unknown> = {
    type: text('type') ?? 'none',
    operator: text('operator'),
    formula1: formula('formula1'),
    formula2: formula('formula2'),
    allowBlank: flag === undefined ? undefined : flag === '1' || flag === 'true',
    errorStyle: text('errorStyle'),
    title: text('promptTitle'),
    prompt: text('prompt'),
    errorTitle: text('errorTitle'),
    error: text('error'),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as Validation
}

function textOf(tree: LiveTree, node: LiveNode | undefined): string | undefined {
  return node && tree.textOf(node)
}

/** Takes these cells out of every validation; one without cells goes. */
export function clearValidations(frame: SheetFrame, boxes: readonly Box[]): number {
  const { tree } = frame
  let touched = 0
  for (const own of validationsOf(frame)) {
    if (!touchesAny(own.boxes, boxes)) continue
    touched++
    const left = withoutBoxes(own.boxes, boxes)
    if (left.length === 0) tree.remove(own.node)
    else if (!own.isExtended) tree.setAttribute(own.node, 'sqref', boxesText(left))
    else tree.setText(own.node.child('xm:sqref')!, boxesText(left))
  }
  dropEmptyLists(frame)
  return touched
}

function dropEmptyLists(frame: SheetFrame): void {
  const { tree } = frame
  const list = frame.find('dataValidations')
  if (list && childrenOf(list, 'x:dataValidation').length === 0) tree.remove(list)
  else if (list && tree.attribute(list, 'count') !== undefined) recount(tree, list)
  const extensions = frame.find('extLst')
  for (const own of [...(extensions?.all('x14:dataValidations') ?? [])]) {
    const left = childrenOf(own, 'x14:dataValidation').length
    if (left === 0) tree.remove(own.parent!)
    else if (tree.attribute(own, 'count') !== undefined)
      tree.setAttribute(own, 'count', String(left))
  }
  if (extensions && !extensions.children.some(({ isText }) => !isText)) tree.remove(extensions)
}

/** Adds a validation for cells that have none. */
export function putValidation(frame: SheetFrame, boxes: readonly Box[], own: Validation): void {
  const { tree } = frame
  const list = frame.ensure('dataValidations')
  tree.append(list, tree.fragment(validationXml(boxes, own)))
  recount(tree, list)
}

function validationXml(boxes: readonly Box[], own: Validation): string {
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['type', own.type],
    ['errorStyle', own.errorStyle === 'stop' ? undefined : own.errorStyle],
    ['operator', own.operator === 'between' ? undefined : own.operator],
    ['allowBlank', own.allowBlank === false ? undefined : '1'],
    ['showInputMessage', '1'],
    ['showErrorMessage', '1'],
    ['errorTitle', own.errorTitle],
    ['error', own.error],
    ['promptTitle', own.title],
    ['prompt', own.prompt],
    ['sqref', boxesText(boxes)],
  ]
  const written = attributes
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name}="${encodeAttribute(value)}"`],
    )
    .join('')
  const formula = (local: string, text: string | undefined) =>
    text === undefined ? '' : `<x:${local}>${encodeText(text)}</x:${local}>`
  return `<x:dataValidation${written}>${formula('formula1', own.formula1)}${formula('formula2', own.formula2)}</x:dataValidation>`
}

const OPERATORS: Readonly<Record<string, string>> = {
  between: 'between',
  notBetween: 'not between',
  equal: '=',
  notEqual: '≠',
  greaterThan: '>',
  lessThan: '<',
  greaterThanOrEqual: '≥',
  lessThanOrEqual: '≤',
}

/** `list of "a,b"`, `whole between 1 and 10`: for a person. */
export function describeValidation(own: Validation): string {
  const { type, operator = 'between', formula1 = '', formula2 = '', prompt, error } = own
  const limits = operator.toLowerCase().includes('between')
    ? `${OPERATORS[operator]} ${formula1} and ${formula2}`
    : `${OPERATORS[operator] ?? operator} ${formula1}`
  const rule =
    type === 'none'
      ? 'any value'
      : type === 'list'
        ? `list of ${formula1}`
        : type === 'custom'
          ? `custom =${formula1}`
          : `${type === 'textLength' ? 'length' : type} ${limits}`
  return [
    rule,
    ...(prompt ? [`prompt ${JSON.stringify(prompt)}`] : []),
    ...(error ? [`error ${JSON.stringify(error)}`] : []),
    ...(own.errorStyle && own.errorStyle !== 'stop' ? [own.errorStyle] : []),
  ].join('; ')
}
