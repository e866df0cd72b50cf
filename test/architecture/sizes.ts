import { parseSync } from 'vite'
import { oncePerText, type Source } from './sources.ts'

/** STYLE, Sizes: a longer function is split. */
const LONGEST_FUNCTION = 60
/** The outermost function of a module factory contains the functions it creates, so it may be longer. */
const LONGEST_FACTORY = 200

type MeasuredFunction = {
  line: number
  name: string
  lines: number
  isFactory: boolean
}

/** A function that is too long to read at once. */
export function sizeFaults(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) => faultsIn(path, text))
}

const faultsIn = oncePerText((path, text) =>
  measureFunctions(path, text).flatMap(({ line, name, lines, isFactory }) => {
    const longest = isFactory ? LONGEST_FACTORY : LONGEST_FUNCTION
    if (lines <= longest) return []
    const what = isFactory ? 'a module factory has at most' : 'a function has at most'
    return [`${path}:${line} ${name} has ${lines} lines: ${what} ${longest} (STYLE, Sizes).`]
  }),
)

function measureFunctions(path: string, text: string): MeasuredFunction[] {
  const { program } = parseSync(path, text)
  const lineAt = lineFinder(text)
  const measured: MeasuredFunction[] = []
  visit(program as unknown as Node, { name: '', isOutermost: true })
  return measured

  function visit(node: Node, place: { name: string; isOutermost: boolean }): void {
    const isFunction = FUNCTIONS.has(node.type) && node.body != null
    if (isFunction) {
      const line = lineAt(node.start)
      measured.push({
        line,
        name: node.id?.name ?? (place.name || 'a function'),
        lines: lineAt(node.end) - line + 1,
        isFactory: place.isOutermost && isFactory(node),
      })
    }
    const isOutermost = place.isOutermost && !isFunction
    for (const child of childrenOf(node)) visit(child, { name: nameGivenBy(node), isOutermost })
  }
}

/** A function that declares functions and returns them: alone, or in an object. */
function isFactory(fn: Node): boolean {
  const body = fn.body as Node
  if (body.type !== 'BlockStatement') return makesFunction(body, new Set())
  const statements = body.body as unknown as Node[]
  const declared = new Set(statements.flatMap(functionsDeclaredBy))
  return statements.some(
    ({ type, argument }) =>
      type === 'ReturnStatement' && argument != null && makesFunction(argument, declared),
  )
}

function makesFunction(node: Node, declared: ReadonlySet<string>): boolean {
  if (FUNCTIONS.has(node.type)) return true
  if (node.type === 'Identifier') return declared.has(node.name ?? '')
  if (node.type === 'ObjectExpression')
    return (node.properties ?? []).some(
      ({ value }) => value && (makesFunction(value, declared) || wrapsFunction(value)),
    )
  return (node.arguments ?? []).some(
    argument => argument.type === 'ObjectExpression' && makesFunction(argument, declared),
  )
}

/** `within.workspace(async request => …)` as a member of the returned object. */
function wrapsFunction(node: Node): boolean {
  return (node.arguments ?? []).some(({ type }) => FUNCTIONS.has(type))
}

function functionsDeclaredBy(statement: Node): string[] {
  if (statement.type === 'FunctionDeclaration') return [statement.id?.name ?? '']
  return (statement.declarations ?? [])
    .filter(({ init }) => init && FUNCTIONS.has(init.type))
    .map(({ id }) => id?.name ?? '')
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** The parts of the syntax tree that sizes are measured by. */
type Node = {
  type: string
  start: number
  end: number
  name?: string
  id?: { name?: string }
  key?: { name?: string }
  body?: unknown
  argument?: Node
  arguments?: Node[]
  declarations?: { id?: { name?: string }; init?: Node }[]
  properties?: { value?: Node }[]
}

function nameGivenBy({ type, id, key }: Node): string {
  if (type === 'VariableDeclarator') return id?.name ?? ''
  return ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(type)
    ? (key?.name ?? '')
    : ''
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
