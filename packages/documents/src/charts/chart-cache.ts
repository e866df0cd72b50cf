import { encodeText, type LiveNode, type LiveTree } from '../opc/index.ts'

/** What a chart shows is a copy of its numbers: this writes it, with the reference to where they come from. */
export function setNumbers(
  tree: LiveTree,
  holder: LiveNode,
  values: readonly (number | null)[],
  formula: string | undefined,
): void {
  const reference = holder.child('c:numRef')
  const cache = reference?.child('c:numCache') ?? holder.child('c:numLit')
  const known = cache?.child('c:formatCode')
  const code = known ? tree.textOf(known) : 'General'
  const points = pointsXml(values)
  const inner = `<c:formatCode>${encodeText(code)}</c:formatCode>${points}`
  const own = formula ?? formulaIn(tree, holder)
  const xml =
    own === undefined
      ? `<c:numLit>${inner}</c:numLit>`
      : `<c:numRef><c:f>${encodeText(own)}</c:f><c:numCache>${inner}</c:numCache></c:numRef>`
  tree.setChildren(holder, tree.fragment(xml))
}

export function setTexts(
  tree: LiveTree,
  holder: LiveNode,
  values: readonly (string | number)[],
  formula: string | undefined,
): void {
  const isNumbers = values.every(value => typeof value === 'number')
  if (isNumbers && (holder.child('c:numRef') || holder.child('c:numLit')))
    return setNumbers(tree, holder, values as number[], formula)
  const own = formula ?? formulaIn(tree, holder)
  const points = pointsXml(values)
  const xml =
    own === undefined
      ? `<c:strLit>${points}</c:strLit>`
      : `<c:strRef><c:f>${encodeText(own)}</c:f><c:strCache>${points}</c:strCache></c:strRef>`
  tree.setChildren(holder, tree.fragment(xml))
}

/** Where a holder of values takes them from. */
export function formulaIn(tree: LiveTree, holder: LiveNode | undefined): string | undefined {
  const reference = holder?.children.find(({ name }) => /Ref$/.test(name))
  const formula = reference?.child('c:f')
  return formula && tree.textOf(formula)
}

/** The points of a cache; `count` where there are more than are written. */
export function pointsXml(
  values: readonly (string | number | null)[],
  count = values.length,
): string {
  const points = values.map((value, index) =>
    value === null ? '' : `<c:pt idx="${index}"><c:v>${encodeText(String(value))}</c:v></c:pt>`,
  )
  return `<c:ptCount val="${count}"/>${points.join('')}`
}

/** Looks and labels of single points that are there no more. */
export function dropPoints(tree: LiveTree, series: LiveNode, count: number): void {
  for (const name of ['c:dPt', 'c:dLbl'])
    for (const node of [...series.all(name)])
      if (Number(tree.attribute(node.child('c:idx'), 'val') ?? 0) >= count) tree.remove(node)
}
