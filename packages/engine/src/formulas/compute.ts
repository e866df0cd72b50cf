import type { CellValue, Evaluated, Evaluation, EvaluationSheet } from '@filewright/documents'
import { ObjectMatrix } from '@univerjs/core'
import * as univer from '@univerjs/engine-formula'
import { fromScalar, toScalar } from './bridge.ts'
import { Cells } from './cells.ts'
import { textOfNumber } from './functions/texts.ts'
import { type Scalar, Uncertain } from './functions/values.ts'
import { LookupIndex } from './lookup-index.ts'
import { OVERRIDES, TEXT_PLACES } from './overrides.ts'
import { replaceFunctions, singleOf } from './own-functions.ts'
import { Watch } from './watch.ts'

/** The one workbook that the library knows here; one computation at a time, since its caches are global. */
const BOOK = 'b'

interface StoredSheet {
  readonly cellData: Cells
  readonly rowCount: number
  readonly columnCount: number
  readonly rowData: unknown
  readonly columnData: unknown
}

let sheets: Record<string, StoredSheet> = {}
let sheetNames: Record<string, string> = {}

const none = () => ({})

/** The library's own service reads a whole document model; this hands it the sheets of the evaluation. */
const data = {
  getUnitData: () => ({ [BOOK]: sheets }),
  getUnitStylesData: none,
  getFormulaData: none,
  getSheetNameMap: () => ({ [BOOK]: sheetNames }),
  getArrayFormulaCellData: none,
  getArrayFormulaRange: none,
  getExecuteUnitId: () => BOOK,
  getExecuteSubUnitId: () => '',
  getDirtyDefinedNameMap: none,
  getDirtySuperTableMap: none,
  getDirtyNameMap: none,
  getSheetName: () => '',
  getLocale: () => 'enUS',
  getFilteredOutRows: () => [],
  getSheetRowColumnCount: (_: string, sheet: string) => sheets[sheet],
  getSheetsInfo: () => ({ sheetOrder: Object.keys(sheets), sheetNameMap: sheetNames }),
}

const names = { getAllDefinedNamesIsEmpty: () => true, getDefinedNameMap: () => undefined }
const tables = { getTableMap: () => undefined, getTableOptionMap: () => new Map() }

const functions = new univer.FunctionService()
const executors: readonly (readonly [string, univer.BaseFunction])[] = [
  univer.functionArray,
  univer.functionCompatibility,
  univer.functionDatabase,
  univer.functionDate,
  univer.functionEngineering,
  univer.functionFinancial,
  univer.functionInformation,
  univer.functionLogical,
  univer.functionLookup,
  univer.functionMath,
  univer.functionMeta,
  univer.functionStatistical,
  univer.functionText,
]
  .flat()
  .map(([Executor, name]) => [
    String(name),
    new (Executor as new (name: string) => univer.BaseFunction)(String(name)),
  ])
functions.registerExecutors(...executors.map(([, executor]) => executor))

for (const [name, override] of Object.entries(OVERRIDES)) {
  const executor = functions.getExecutor(name)!
  const own = executor.calculate.bind(executor)
  executor.calculate = (...given) => {
    const values = given.map(singleOf)
    const result = values.includes(undefined) ? undefined : override(...(values as Scalar[]))
    return result === undefined ? own(...given) : fromScalar(result)
  }
}

replaceFunctions(functions, sheet => sheets[sheet]?.cellData)

const index = new LookupIndex()
const lookup = functions.getExecutor('VLOOKUP')!
const lookupOwn = lookup.calculate.bind(lookup)
lookup.calculate = (...given) => indexed(given) ?? lookupOwn(...given)

/** An exact lookup of a number or of a text without wildcards; undefined leaves the call to the library. */
function indexed(given: readonly univer.FunctionVariantType[]): univer.BaseValueObject | undefined {
  const [wanted, table, place, mode] = given
  if (!wanted || !table?.isReferenceObject() || !place || !mode) return undefined
  const [value, column, isNear] = [singleOf(wanted), singleOf(place), singleOf(mode)]
  const isPlain = typeof value === 'number' || (typeof value === 'string' && !/[*?~]/.test(value))
  if (!isPlain || typeof column !== 'number' || (isNear !== false && isNear !== 0)) return undefined
  const reference = table as univer.BaseReferenceObject
  const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition()
  const at = startColumn + Math.trunc(column) - 1
  if (value === '' || at < startColumn || at > endColumn || startRow < 0) return undefined
  const sheet = reference.getSheetId()
  const cells = sheets[sheet]?.cellData
  if (!cells) return undefined
  const lines = { sheet, column: startColumn, top: startRow, bottom: endRow }
  const row = index.find(lines, value, own => cells.get(own, startColumn))
  if (row === undefined) return fromScalar({ error: '#N/A' })
  return fromScalar(cells.get(row, at))
}

for (const [name, places] of Object.entries(TEXT_PLACES)) {
  const executor = functions.getExecutor(name)!
  const own = executor.calculate.bind(executor)
  executor.calculate = (...given) =>
    own(
      ...(given.map((argument, place) =>
        places.includes(place) ? asText(argument) : argument,
      ) as Parameters<typeof own>),
    )
}

function asText(given: univer.FunctionVariantType): univer.FunctionVariantType {
  const value = singleOf(given)
  return typeof value === 'number' ? univer.StringValueObject.create(textOfNumber(value)) : given
}

const watch = new Watch()
for (const [name, executor] of executors) watch.over(name, executor)

/** The library reads numbers, dates and prices out of a text in quotes. */
class Literals extends univer.ValueNodeFactory {
  override create(token: string) {
    const node = super.create(token)
    if (token.startsWith('"')) {
      const text = univer.StringValueObject.create(token.slice(1, -1).replaceAll('""', '"'))
      node.execute = () => node.setValue(text)
    }
    return node
  }
}

const runtime = new univer.FormulaRuntimeService(data as never, {} as never)
const lexer = new univer.Lexer(names as never, new univer.LexerTreeBuilder(), data as never)
const interpreter = new univer.Interpreter(runtime)
const parser = new univer.AstTreeBuilder(
  runtime,
  new univer.AstRootNodeFactory(),
  new univer.FunctionNodeFactory(
    functions,
    data as never,
    runtime,
    names as never,
    {} as never,
    {} as never,
  ),
  new univer.LambdaNodeFactory(runtime, interpreter),
  new (
    univer.LambdaParameterNodeFactory as new (
      runtime: unknown,
    ) => univer.LambdaParameterNodeFactory
  )(runtime),
  new univer.OperatorNodeFactory(functions, runtime),
  new univer.PrefixNodeFactory(functions, runtime),
  new univer.ReferenceNodeFactory(data as never, runtime, functions, tables as never),
  new univer.SuffixNodeFactory(functions, lexer, data as never),
  new univer.UnionNodeFactory(functions),
  new Literals(),
)

// Its index of values takes quadratic time to build; without it every comparison reads its range.
univer.CELL_INVERTED_INDEX_CACHE.set = () => {}
univer.CELL_INVERTED_INDEX_CACHE.setContinueBuildingCache = () => {}

/**
 * Every value that the library gives; a cell whose formula it cannot read or that gives several values has none. `late`:
 * positions of cells that are passed over; `note` is told each position before it is computed.
 */
export function compute(
  { sheets: given, texts, cells, watched = [] }: Evaluation,
  late: readonly number[],
  note: (position: number) => void,
): Evaluated {
  univer.FORMULA_REF_TO_ARRAY_CACHE.clear()
  univer.CELL_INVERTED_INDEX_CACHE.clear()
  index.clear()
  sheets = Object.fromEntries(given.map((sheet, index) => [`S${index}`, toStored(sheet)]))
  sheetNames = Object.fromEntries(given.map((_, index) => [`S${index}`, `S${index}`]))
  const trees = texts.map(({ text }) => parse(text))
  const values: (CellValue | null)[] = []
  const kinds: Record<number, readonly string[]> = {}
  const doubts: Record<number, string> = {}
  watch.start(watched)
  for (let at = 0; at < cells.length; at += 4) {
    const [sheet, row, column, text] = [cells[at]!, cells[at + 1]!, cells[at + 2]!, cells[at + 3]!]
    const tree = trees[text]
    const anchor = texts[text]!
    const { rows, columns } = given[sheet]!
    runtime.setCurrent(row - 1, column - 1, rows, columns, `S${sheet}`, BOOK)
    const offset = { refOffsetX: column - anchor.column, refOffsetY: row - anchor.row }
    note(values.length)
    const found = tree && !late.includes(values.length) ? resultOf(tree, offset) : null
    const value = found instanceof Uncertain ? null : found
    if (found instanceof Uncertain) doubts[values.length] = found.message
    const seen = watch.take()
    if (seen) kinds[values.length] = seen
    values.push(value)
    if (value === null) continue
    sheets[`S${sheet}`]!.cellData.set(row - 1, column - 1, value)
    index.noteWrite(`S${sheet}`)
  }
  return {
    values,
    ...(Object.keys(kinds).length > 0 && { kinds }),
    ...(Object.keys(doubts).length > 0 && { doubts }),
    ...(late.length > 0 && { late }),
  }
}

type Tree = univer.BaseAstNode

function parse(text: string): Tree | undefined {
  try {
    const tokens = lexer.treeBuilder(`=${text}`)
    return tokens instanceof univer.LexerNode ? (parser.parse(tokens) as Tree) : undefined
  } catch {
    return undefined
  }
}

function resultOf(
  node: Tree,
  offset: { refOffsetX: number; refOffsetY: number },
): CellValue | Uncertain | null {
  try {
    const found = interpreter.execute({ node, ...offset })
    const list = found.isReferenceObject()
      ? (found as univer.BaseReferenceObject).toArrayValueObject()
      : (found as univer.BaseValueObject)
    if (!list.isArray()) return toValue(list)
    const array = list as univer.ArrayValueObject
    const isOne = array.getRowCount() === 1 && array.getColumnCount() === 1
    return isOne ? toValue(array.getFirstCell()) : null
  } catch (error) {
    return error instanceof Uncertain ? error : null
  } finally {
    node.resetCalculationState()
  }
}

/** What a cell shows: 0 for an empty one. */
function toValue(object: univer.BaseValueObject): CellValue {
  return toScalar(object) ?? 0
}

function toStored(sheet: EvaluationSheet): StoredSheet {
  const empty = new ObjectMatrix({})
  const { rows, columns } = sheet
  const cellData = new Cells(sheet)
  return { cellData, rowCount: rows, columnCount: columns, rowData: empty, columnData: empty }
}
