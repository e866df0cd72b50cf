import type { CellValue, Evaluated, Evaluation, EvaluationSheet } from '@filewright/documents'
import { type Nullable, ObjectMatrix } from '@univerjs/core'
import * as univer from '@univerjs/engine-formula'
import { LookupIndex } from './lookup-index.ts'
import { OVERRIDES, TEXT_PLACES, textOfNumber } from './overrides.ts'
import { Watch } from './watch.ts'

/** The one workbook that the library knows here; one computation at a time, since its caches are global. */
const BOOK = 'b'
const NUMBER = 2
const TEXT = 1
const TRUTH = 3

interface StoredCell {
  readonly v: number | string
  readonly t: number
  readonly f?: string
}

interface StoredSheet {
  readonly cellData: {
    getValue(row: number, column: number): Nullable<StoredCell>
    setValue(row: number, column: number, cell: StoredCell): void
  }
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
    const result = values.includes(undefined)
      ? undefined
      : override(...(values as (CellValue | null)[]))
    return result === undefined ? own(...given) : toObject(result)
  }
}

// where nothing matches, the library gives an empty text
for (const name of ['MAXIFS', 'MINIFS']) {
  const executor = functions.getExecutor(name)!
  const own = executor.calculate.bind(executor)
  executor.calculate = (...given) => {
    const result = own(...given)
    const isNone = result instanceof univer.BaseValueObject && singleOf(result) === ''
    return isNone ? toObject(0) : result
  }
}

// it finds a text among numbers
const match = functions.getExecutor('MATCH')!
const matchOwn = match.calculate.bind(match)
match.calculate = (...given) => {
  const [wanted, list] = given as [univer.FunctionVariantType, univer.FunctionVariantType]
  const isText = typeof singleOf(wanted) === 'string'
  return isText && !hasText(list) ? toObject({ error: '#N/A' }) : matchOwn(...given)
}

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
  const row = index.find(lines, value, own => storedValue(cells.getValue(own, startColumn)))
  if (row === undefined) return toObject({ error: '#N/A' })
  const found = cells.getValue(row, at)
  return found ? reference.getCellValueObject(found as never) : univer.NullValueObject.create()
}

function storedValue(cell: Nullable<StoredCell>): CellValue | undefined {
  if (!cell || cell.t === TRUTH) return undefined
  return cell.t === NUMBER ? Number(cell.v) : String(cell.v)
}

function hasText(given: univer.FunctionVariantType): boolean {
  const value = given.isReferenceObject()
    ? (given as univer.BaseReferenceObject).toArrayValueObject()
    : (given as univer.BaseValueObject)
  if (!value.isArray()) return value.isString() || value.isError()
  let found = false
  ;(value as univer.ArrayValueObject).iterator(own => {
    found = (own?.isString() ?? false) || (own?.isError() ?? false)
    return !found
  })
  return found
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

/** The value of an argument; undefined where there are several. */
function singleOf(given: univer.FunctionVariantType): CellValue | null | undefined {
  if (given.isReferenceObject()) {
    const reference = given as univer.BaseReferenceObject
    const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition()
    if (startRow !== endRow || startColumn !== endColumn) return undefined
    const cell = reference.getCellData(startRow, startColumn)
    return cell ? toValue(reference.getCellValueObject(cell)) : null
  }
  const list = given as univer.BaseValueObject
  if (!list.isArray()) return list.isNull() ? null : toValue(list)
  const array = list as univer.ArrayValueObject
  if (array.getRowCount() !== 1 || array.getColumnCount() !== 1) return undefined
  const first = array.getFirstCell()
  return first.isNull() ? null : toValue(first)
}

function toObject(value: CellValue): univer.BaseValueObject {
  if (typeof value === 'object')
    return univer.ErrorValueObject.create(value.error as univer.ErrorType)
  // the factory would make a number of a text such as 5%
  return typeof value === 'string'
    ? univer.StringValueObject.create(value)
    : univer.ValueObjectFactory.create(value)
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
  new univer.ValueNodeFactory(),
)

// Its index of values takes quadratic time to build; without it every comparison reads its range.
univer.CELL_INVERTED_INDEX_CACHE.set = () => {}
univer.CELL_INVERTED_INDEX_CACHE.setContinueBuildingCache = () => {}

/** Every value that the library gives; a cell whose formula it cannot read or that gives several values has none. */
export function compute({ sheets: given, texts, cells, watched = [] }: Evaluation): Evaluated {
  univer.FORMULA_REF_TO_ARRAY_CACHE.clear()
  univer.CELL_INVERTED_INDEX_CACHE.clear()
  index.clear()
  sheets = Object.fromEntries(given.map((sheet, index) => [`S${index}`, toStored(sheet)]))
  sheetNames = Object.fromEntries(given.map((_, index) => [`S${index}`, `S${index}`]))
  const trees = texts.map(({ text }) => parse(text))
  const values: (CellValue | null)[] = []
  const kinds: Record<number, readonly string[]> = {}
  watch.start(watched)
  for (let at = 0; at < cells.length; at += 4) {
    const [sheet, row, column, text] = [cells[at]!, cells[at + 1]!, cells[at + 2]!, cells[at + 3]!]
    const tree = trees[text]
    const anchor = texts[text]!
    const { rows, columns } = given[sheet]!
    runtime.setCurrent(row - 1, column - 1, rows, columns, `S${sheet}`, BOOK)
    const value = tree
      ? resultOf(tree, { refOffsetX: column - anchor.column, refOffsetY: row - anchor.row })
      : null
    const seen = watch.take()
    if (seen) kinds[values.length] = seen
    values.push(value)
    if (value === null) continue
    sheets[`S${sheet}`]!.cellData.setValue(row - 1, column - 1, toStoredCell(value))
    index.noteWrite(`S${sheet}`)
  }
  return Object.keys(kinds).length > 0 ? { values, kinds } : { values }
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
): CellValue | null {
  try {
    const found = interpreter.execute({ node, ...offset })
    node.resetCalculationState()
    const list = found.isReferenceObject()
      ? (found as univer.BaseReferenceObject).toArrayValueObject()
      : (found as univer.BaseValueObject)
    if (!list.isArray()) return toValue(list)
    const array = list as univer.ArrayValueObject
    const isOne = array.getRowCount() === 1 && array.getColumnCount() === 1
    return isOne ? toValue(array.getFirstCell()) : null
  } catch {
    return null
  }
}

function toValue(object: univer.BaseValueObject): CellValue | null {
  const value = object.getValue()
  if (object.isError()) return { error: String(value) }
  if (object.isNull()) return 0
  if (object.isBoolean()) return Boolean(value)
  if (object.isString()) return String(value)
  if (!object.isNumber()) return null
  return Number.isFinite(Number(value)) ? Number(value) : { error: '#NUM!' }
}

function toStored({ rows, columns, places, values }: EvaluationSheet): StoredSheet {
  const cellData = new ObjectMatrix<StoredCell>({})
  for (const [index, value] of values.entries())
    cellData.setValue(places[2 * index]! - 1, places[2 * index + 1]! - 1, toStoredCell(value))
  const empty = new ObjectMatrix({})
  return { cellData, rowCount: rows, columnCount: columns, rowData: empty, columnData: empty }
}

function toStoredCell(value: CellValue): StoredCell {
  if (typeof value === 'number') return { v: value, t: NUMBER }
  if (typeof value === 'boolean') return { v: value ? 1 : 0, t: TRUTH }
  // an empty text is no empty cell: with a formula the library sees it
  if (value === '') return { v: value, t: TEXT, f: '=""' }
  return { v: typeof value === 'string' ? value : value.error, t: TEXT }
}
