import { common, createLowlight } from 'lowlight'

const lowlight = createLowlight(common)

/** The languages that have another name than the ending of their files. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  [
    ['python', 'py'],
    ['typescript', 'ts tsx mts cts'],
    ['javascript', 'js jsx mjs cjs'],
    ['xml', 'html xml svg xhtml'],
    ['markdown', 'md'],
    ['yaml', 'yml'],
    ['ini', 'toml ini cfg'],
    ['bash', 'sh bash zsh'],
    ['kotlin', 'kt'],
    ['rust', 'rs'],
    ['ruby', 'rb'],
    ['c', 'h'],
    ['csharp', 'cs'],
  ].flatMap(([language, endings]) =>
    endings!.split(' ').map((ending): [string, string] => [ending, language!]),
  ),
)

/** A piece of a line, with the class of the highlighter. */
export interface CodePiece {
  readonly text: string
  readonly look?: string
}

const MOST = 400_000 // characters; beyond it the colours cost more than they give

/** The lines of a file in pieces; plain where the language is not known. */
export function toCodeLines(text: string, ending: string): readonly (readonly CodePiece[])[] {
  const language = LANGUAGES.get(ending) ?? ending
  if (!lowlight.registered(language) || text.length > MOST)
    return text.split('\n').map(line => [{ text: line }])
  const lines: CodePiece[][] = [[]]
  add(lowlight.highlight(language, text), undefined)
  return lines

  function add(node: ReturnType<typeof lowlight.highlight> | Node, look: string | undefined): void {
    if (node.type === 'text') return addText(node.value, look)
    if (!('children' in node)) return
    const own = node.type === 'element' ? classOf(node) : undefined
    for (const child of node.children) add(child as Node, own ?? look)
  }

  function addText(value: string, look: string | undefined): void {
    for (const [index, part] of value.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)!.push({ text: part, look })
    }
  }
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

function classOf(node: Extract<Node, { type: 'element' }>): string | undefined {
  const names = node.properties.className
  return Array.isArray(names) ? names.join(' ') : undefined
}
