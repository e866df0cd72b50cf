import type { CellValue, Evaluated, Evaluation, EvaluationSheet } from '@filewright/documents'
import { ObjectMatrix } from '@univerjs/core'
import * as univer from '@univerjs/engine-formula'
import { OVERRIDES } from './overrides.ts'

/** The one workbook that the library knows here; one computation at a time, since its caches are global. */
const BOOK = 'b'
const NUMBER = 2
const TEXT = 1
const TRUTH = 3

interface StoredCell {
  readonly v: number | string
  readonly t: number
}

interface StoredSheet {
  readonly cellData: { setValue(row: number, column: number, cell: StoredCell): void }
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
functions.registerExecutors(
  ...[
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
    .map(
      ([Executor, name]) =>
        new (Executor as new (name: string) => univer.BaseFunction)(String(name)),
    ),
)

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

/** The value of an argument; undefined where there are several. */
function singleOf(given: univer.FunctionVariantType): CellValue | null | undefined {
  const list = given.isReferenceObject()
    ? (given as univer.BaseReferenceObject).toArrayValueObject()
    : (given as univer.BaseValueObject)
  if (!list.isArray()) return list.isNull() ? null : toValue(list)
  const array = list as univer.ArrayValueObject
  if (array.getRowCount() !== 1 || array.getColumnCount() !== 1) return undefined
  const first = array.getFirstCell()
  return first.isNull() ? null : toValue(first)
}

function toObject(value: CellValue): univer.BaseValueObject {
  return typeof value === 'object'
    ? univer.ErrorValueObject.create(value.error as univer.ErrorType)
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
export function compute({ sheets: given, texts, cells }: Evaluation): Evaluated {
  univer.FORMULA_REF_TO_ARRAY_CACHE.clear()
  univer.CELL_INVERTED_INDEX_CACHE.clear()
  sheets = Object.fromEntries(given.map((sheet, index) => [`S${index}`, toStored(sheet)]))
  sheetNames = Object.fromEntries(given.map((_, index) => [`S${index}`, `S${index}`]))
  const trees = texts.map(({ text }) => parse(text))
  const values: (CellValue | null)[] = []
  for (let at = 0; at < cells.length; at += 4) {
    const [sheet, row, column, index] = [cells[at]!, cells[at + 1]!, cells[at + 2]!, cells[at + 3]!]
    const tree = trees[index]
    const anchor = texts[index]!
    const { rows, columns } = given[sheet]!
    runtime.setCurrent(row - 1, column - 1, rows, columns, `S${sheet}`, BOOK)
    const value = tree
      ? resultOf(tree, { refOffsetX: column - anchor.column, refOffsetY: row - anchor.row })
      : null
    values.push(value)
    if (value !== null)
      sheets[`S${sheet}`]!.cellData.setValue(row - 1, column - 1, toStoredCell(value))
  }
  return { values }
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
  return { v: typeof value === 'string' ? value : value.error, t: TEXT }
}
