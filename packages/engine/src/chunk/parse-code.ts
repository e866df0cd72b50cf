import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { UnnamedChunk } from '@filewright/documents'
import type { Language, Node, Parser } from '@vscode/tree-sitter-wasm'
import { CONTAINERS, DEFINITIONS } from './languages.ts'

interface TreeSitter {
  readonly parser: Parser
  languageOf(grammar: string): Promise<Language>
}

let started: Promise<TreeSitter> | undefined

/** With the first file of code; each grammar with the first file of its language. */
async function start(): Promise<TreeSitter> {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  const library = require('@vscode/tree-sitter-wasm') as typeof import('@vscode/tree-sitter-wasm')
  await library.Parser.init({ locateFile: (name: string) => join(folder, name) })
  const grammars = new Map<string, Promise<Language>>()
  return {
    parser: new library.Parser(),
    languageOf(grammar) {
      let loading = grammars.get(grammar)
      if (!loading) {
        loading = library.Language.load(join(folder, `tree-sitter-${grammar}.wasm`))
        grammars.set(grammar, loading)
      }
      return loading
    },
  }
}

const IMPLEMENTATION = 'impl_item' // Rust's, named by its type
const MOST_CHUNKS = 5_000 // of one file: a generated one has no more to say
const MOST_DEPTH = 40 // of nested definitions and the blocks between them

/** The definitions of a file of code; a container has the lines up to its first member. */
export async function parseCode(text: string, grammar: string): Promise<readonly UnnamedChunk[]> {
  started ??= start()
  const { parser, languageOf } = await started
  parser.setLanguage(await languageOf(grammar))
  const tree = parser.parse(text)
  if (!tree) return []
  try {
    const chunks: UnnamedChunk[] = []
    collect(tree.rootNode, { names: [], isMember: false, depth: 0 }, text.split('\n'), chunks)
    return chunks
  } finally {
    tree.delete()
  }
}

interface Place {
  readonly names: readonly string[]
  /** In a class or the like. */
  readonly isMember: boolean
  readonly depth: number
}

function collect(node: Node, place: Place, lines: readonly string[], chunks: UnnamedChunk[]): void {
  if (place.depth > MOST_DEPTH) return
  for (const child of node.namedChildren) {
    if (!child || chunks.length >= MOST_CHUNKS) return
    const found = definitionIn(child, place)
    if (!found) {
      if (mayHold(child)) collect(child, { ...place, depth: place.depth + 1 }, lines, chunks)
      continue
    }
    const names = [...place.names, ...found.names]
    const at = chunks.length
    if (CONTAINERS.has(found.kind)) {
      const isMember = found.kind !== 'namespace' || child.type === IMPLEMENTATION
      collect(child, { names, isMember, depth: place.depth + 1 }, lines, chunks)
    }
    if (found.kind === 'namespace') continue
    const first = outermost(child).startPosition.row + 1
    const inner = chunks[at]?.lineStart
    const last = child.endPosition.row + 1
    const lineEnd = inner === undefined ? last : Math.max(first, inner - 1)
    const own = lines.slice(first - 1, lineEnd).join('\n')
    const chunk = { kind: found.kind, names, symbol: found.names.at(-1)!, text: own }
    chunks.splice(at, 0, { ...chunk, lineStart: first, lineEnd })
  }
}

/** Definitions are not looked for in the bodies of functions and in expressions. */
function mayHold({ type }: Node): boolean {
  return /declaration|statement|body|block|list|export|module|program|decorated|template|linkage|preproc/.test(
    type,
  )
}

/** With its decorators and its `export`, if they belong to it alone. */
function outermost(node: Node): Node {
  const { parent } = node
  return parent &&
    /^(?:export_statement|decorated_definition|lexical_declaration)$/.test(parent.type)
    ? outermost(parent)
    : node
}

function definitionIn(node: Node, { isMember }: Place) {
  const kind = DEFINITIONS[node.type] ?? (isNamedFunction(node) ? 'function' : undefined)
  if (kind === undefined) return undefined
  const name = nameOf(node)
  if (name === undefined) return undefined
  const receiver = node
    .childForFieldName('receiver')
    ?.text.match(/(\w+)\s*(?:\[[^\]]*\]\s*)?\)/)?.[1]
  const names = [...(receiver === undefined ? [] : [receiver]), ...name.split(/::|\./)]
  const isMethod = kind === 'function' && (isMember || names.length > 1)
  return { kind: isMethod ? 'method' : kind, names: names.filter(each => each !== '') }
}

/** `const f = () => …` */
function isNamedFunction(node: Node): boolean {
  const value = node.type === 'variable_declarator' ? node.childForFieldName('value') : null
  return value !== null && /^(?:arrow_function|function_expression|function)$/.test(value.type)
}

const NAME = /^[\w$~.:-]{1,200}$/

function nameOf(node: Node): string | undefined {
  const isImplementation = node.type === IMPLEMENTATION
  let named = node.childForFieldName(isImplementation ? 'type' : 'name')
  // In C, a name is inside its declarators.
  for (let at = node.childForFieldName('declarator'); !named && at; ) {
    const inner: Node | null = at.childForFieldName('declarator')
    if (!inner) named = at
    at = inner
  }
  const text = named?.text.replace(/<[\s\S]*$/, '').trim()
  return text !== undefined && NAME.test(text) ? text : undefined
}
