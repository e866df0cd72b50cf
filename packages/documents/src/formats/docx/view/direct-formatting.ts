import type { LiveNode } from '../../../opc/index.ts'

/** Properties of a paragraph and of its runs that are no formatting of their own. */
const NOT_DIRECT: ReadonlySet<string> = new Set([
  ...[
    '',
    'w:pStyle',
    'w:rStyle',
    'w:rPr',
    'w:sectPr',
    'w:numPr',
    'w:lang',
    'w:noProof',
    'w:rtl',
    'w:cs',
    'w:bidi',
  ],
  ...[
    'w:pPrChange',
    'w:rPrChange',
    'w:ins',
    'w:del',
    'w:moveFrom',
    'w:moveTo',
    'w:cnfStyle',
    'w:keepNext',
    'w:vertAlign',
  ],
])

export function isDirect(name: string): boolean {
  return !NOT_DIRECT.has(name)
}

/** The names of direct properties, of the paragraph and of its runs. */
export function directOf(node: LiveNode): string[] {
  const names = new Set(directIn(node.child('w:pPr')))
  for (const run of node.all('w:r'))
    for (const name of directIn(run.child('w:rPr'))) names.add(name)
  return [...names]
}

/** The same where the runs agree: a word in bold is emphasis, a paragraph in bold deviates from its style. */
export function deviationsOf(node: LiveNode): string[] {
  const names = directIn(node.child('w:pPr'))
  let common: string[] | undefined
  for (const run of textRuns(node)) {
    const own = directIn(run.child('w:rPr'))
    common = common?.filter(name => own.includes(name)) ?? own
    if (common.length === 0) break
  }
  return [...new Set([...names, ...(common ?? [])])]
}

function directIn(properties: LiveNode | undefined): string[] {
  return (properties?.children ?? [])
    .filter(({ name }) => isDirect(name))
    .map(({ name }) => name.slice(2))
}

/** Runs with text, of the paragraph itself. */
function* textRuns(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    if (child.name === 'w:r') {
      if (child.child('w:t')) yield child
    } else if (child.name !== 'w:pPr' && child.children.length > 0) yield* textRuns(child)
  }
}
