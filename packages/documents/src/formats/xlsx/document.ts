import {
  type Change,
  type ChangeId,
  type Consequence,
  type Content,
  type Fields,
  type LoggedOperation,
  type OperationTrace,
  ok,
  type Reading,
  type Result,
} from '@filewright/protocol'
import type { NarrowedOperation } from '../../draft-log.ts'
import type { Evaluator } from '../../evaluation.ts'
import type {
  AppliedOperations,
  ApplyOptions,
  DocumentName,
  DocumentTable,
  FileMap,
  OpenDocument,
  OperationResult,
  ReadOptions,
  SearchHits,
  SearchQuery,
} from '../../format.ts'
import { refuseSigned } from '../../live-document.ts'
import { attribute } from '../../opc/index.ts'
import { recalledBy, refusedAt, traceOf } from '../../operation-trace.ts'
import { Refusal, toFailure } from '../../refusal.ts'
import { Book, treeOf } from './book/book.ts'
import { type FormulaResults, NO_RESULTS } from './book/cell-values.ts'
import type { Sheet } from './book/sheet.ts'
import { isTrue, openWorkbook } from './book/workbook-part.ts'
import { cellName, columnOfKey, placeOf, rowOfKey } from './cell/address.ts'
import type { WorkbookRegion } from './declared/selectors.ts'
import { findDoubtful, findStale } from './formula/dependants.ts'
import { refuseNamedRange } from './operations/arguments.ts'
import { Editor } from './operations/editor.ts'
import { changesStructure, runOperation } from './operations/index.ts'
import { leftOutOf, movedBack } from './operations/move-back.ts'
import { warnOfPivots } from './operations/write-warnings.ts'
import { Writers } from './operations/writers/writers.ts'
import { pivotSourcesOf } from './parts/sheet-parts.ts'
import { consequencesOf } from './recompute/consequences.ts'
import { type EarlierState, stateOf } from './recompute/earlier-results.ts'
import { Recomputed, recompute } from './recompute/recompute.ts'
import { type ToldResults, tellResults } from './recompute/tell-results.ts'
import { mapBook } from './view/map.ts'
import { readRanges } from './view/read-ranges.ts'
import { searchBook } from './view/search.ts'
import { tablesOfBook } from './view/tables.ts'
import { packageContent } from './write/package-content.ts'

/** A workbook held open: edits are kept on top of the file, and bytes are built on request. */
export class XlsxDocument implements OpenDocument {
  readonly book: Book
  readonly #name: DocumentName
  readonly #writers = new Writers()
  readonly #changes: Change[] = []
  #saidDoubtful = false

  readonly #evaluator: Evaluator | undefined
  /** As it was opened. */
  readonly #opened: EarlierState

  private constructor(book: Book, name: DocumentName, evaluator: Evaluator | undefined) {
    this.book = book
    this.#name = name
    this.#evaluator = evaluator
    this.#opened = stateOf(book, NO_RESULTS)
  }

  /** With an evaluator, formulas have the results that it computes and that have a proof. */
  static open(bytes: Uint8Array, name: DocumentName, evaluator?: Evaluator): Result<XlsxDocument> {
    const part = openWorkbook(bytes)
    if (!part.ok) return part
    const findResults = evaluator && ((own: Book) => recompute(own, evaluator))
    const book = new Book(part.value, { findStale, ...(findResults && { findResults }) })
    return ok(new XlsxDocument(book, name, evaluator))
  }

  map(): Result<FileMap> {
    return mapBook(this.book)
  }

  read(region: WorkbookRegion, options: ReadOptions): Result<Reading> {
    return readRanges(this.book, region, options)
  }

  search(query: SearchQuery): Result<SearchHits> {
    return searchBook(this.book, query)
  }

  tables(): Result<readonly DocumentTable[]> {
    return tablesOfBook(this.book)
  }

  changes(): readonly Change[] {
    return this.#changes
  }

  /** Results of formulas that the changes made others, or took away. */
  consequences(): readonly Consequence[] {
    const { results } = this.book.values
    const written = new Set(this.#changes.map(({ place }) => place))
    if (!(results instanceof Recomputed)) return []
    const found = consequencesOf(this.book, results, this.#opened, written)
    return found.map(own => ({ ...this.#name, ...own }))
  }

  content(): Result<Content> {
    return packageContent(this.book)
  }

  apply(log: readonly LoggedOperation[], options: ApplyOptions = {}): Result<AppliedOperations> {
    return this.applyAccepted(log, options)
  }

  /** A replay makes only the accepted changes. */
  applyAccepted(
    log: readonly NarrowedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
  ): Result<AppliedOperations> {
    const book = this.book
    const { part } = book
    const signed = log.length > 0 ? refuseSigned(part, 'workbook', options) : undefined
    if (signed) return signed
    const isTold = !accepts && this.#isComputing
    const before = stateOf(book, isTold ? this.#resultsSoFar() : NO_RESULTS)
    const ran = this.#runAll(log, options, accepts)
    if ('refusal' in ran) {
      const meant = accepts || options.replays ? undefined : this.#meant(log, ran, options)
      const logged = log[ran.position]!
      const refused = toFailure(ran.refusal, ran.position, logged, meant)
      return options.replays ? refusedAt(refused, logged) : refused
    }
    const { changes, warnings } = ran
    for (const change of changes) this.#changes.push(change)
    const told = isTold ? this.#tellResults(ran, before) : undefined
    const results = told?.results ?? ran.results
    if (told) warnings.push(...told.warnings)
    else if (book.hasEdits && !this.#saidDoubtful) warnings.push(...this.#doubtful())
    if (results.some(({ isNew }) => isNew === true)) warnings.push(...warnOfEmpty(book))
    return ok({ results, changes, warnings: [...new Set(warnings)], traces: ran.traces })
  }

  get #isComputing(): boolean {
    return this.#evaluator !== undefined
  }

  /** The results before a call, to say what it moved. */
  #resultsSoFar(): FormulaResults {
    return this.book.mayBeStale ? this.book.values.results : NO_RESULTS
  }

  #tellResults({ results, changes }: Ran, before: EarlierState): ToldResults | undefined {
    const now = this.book.mayBeStale ? this.book.values.results : undefined
    return now instanceof Recomputed
      ? tellResults(this.book, { now, before }, results, changes)
      : undefined
  }

  /** Runs all operations, or takes back those before the one that is refused. */
  #runAll(
    log: readonly NarrowedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
  ): Ran | Refused {
    const book = this.book
    const undo: (() => void)[] = []
    const results: OperationResult[] = []
    const changes: Change[] = []
    const warnings: string[] = []
    const isMet = new Map<string, () => boolean>()
    const traces: OperationTrace[] = []
    const styles = book.part.styles().mark()
    const takeBack = () => {
      for (const step of undo.reverse()) step()
      book.part.styles().forget(styles)
    }
    for (const [position, logged] of log.entries()) {
      const editor: Editor = new Editor({
        book,
        logged,
        name: this.#name,
        writers: this.#writers,
        undo,
        inputs: options.inputs,
        recalled: recalledBy(logged),
        ...(accepts && { accepts }),
        ...(book.part.isSigned && { notes: ['breaks the digital signature'] }),
        guard: sheet => refuseUnlessEditable(editor, sheet, options),
      })
      if (book.clock !== logged.circumstances.time)
        undo.push(book.change({ clock: logged.circumstances.time }))
      const sources = pivotSourcesOf(book.part)
      try {
        results.push(this.#run(editor, logged, options))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        takeBack()
        return { refusal: error, position }
      }
      traces.push(traceOf(logged, editor.found, accepts ? undefined : editor.changes))
      for (const change of editor.changes) changes.push(change)
      warnings.push(...editor.warnings)
      for (const own of editor.isMet) isMet.set(...own)
      if (!accepts) warnings.push(...warnOfPivots(book, editor.changes, sources))
    }
    const told = warnings.filter(text => !isMet.get(text)?.())
    return { results, changes, warnings: told, traces, takeBack }
  }

  /** All operations with what was meant in place of what is refused; undefined unless they can then be done. */
  #meant(
    log: readonly LoggedOperation[],
    { refusal, position }: Refused,
    options: ApplyOptions,
    tries = 2 * log.length, // an operation may be wrong in two ways
  ): readonly Fields[] | undefined {
    if (!refusal.meant) return undefined
    const meant = refusal.meant.map(operation => ({ ...log[position]!, operation }))
    const mended = [
      ...log.slice(0, position),
      ...(meant as LoggedOperation[]),
      ...log.slice(position + 1),
    ]
    const ran = this.#runAll(mended, options)
    if ('refusal' in ran)
      return tries > 0 ? this.#meant(mended, ran, options, tries - 1) : undefined
    ran.takeBack()
    return mended.map(({ operation }) => operation)
  }

  /** Reported with the first edit: these results are then gone, whatever is edited next. */
  #doubtful(): string[] {
    this.#saidDoubtful = true
    const places = findDoubtful(this.book)
    if (places.length === 0) return []
    const names = places.slice(0, 3).map(({ sheet, key }) => {
      const own = this.book.sheets.find(({ id }) => id === sheet)!
      return placeOf(own.name, cellName(rowOfKey(key), columnOfKey(key)))
    })
    const one = places.length === 1
    const shown = `${names.join(', ')}${places.length > 3 ? ` and ${places.length - 3} more` : ''}`
    return [
      `${places.length} ${one ? 'formula' : 'formulas'} lost ${one ? 'its' : 'their'} stored ${one ? 'result' : 'results'} because what ${one ? 'it reads is' : 'they read is'} only known when computed (INDIRECT, OFFSET and the like), so the edit may have changed ${one ? 'it' : 'them'}: ${shown}. ${one ? 'It is' : 'They are'} calculated when the workbook is opened.`,
    ]
  }

  #run(editor: Editor, logged: NarrowedOperation, options: ApplyOptions): OperationResult {
    const operation = movedBack(logged.operation, leftOutOf(logged.assumes), this.book)
    const { op } = operation
    const book = this.book
    const named = refuseNamedRange(book, operation)
    if (named) throw named
    const isLocked = book.part.isStructureProtected && changesStructure(operation)
    if (isLocked && options.allowProtected)
      editor.note('the structure of the workbook is protected')
    else if (isLocked)
      throw new Refusal(
        'PROTECTED',
        'the structure of the workbook is protected; ask the person, then send allow_protected: true',
      )
    if (typeof operation.sheet === 'string' && op !== 'ensure_sheet') {
      const sheet = book.sheet(operation.sheet)
      if (sheet) refuseUnlessEditable(editor, sheet, options)
    }
    return runOperation(editor, operation)
  }
}

/** A new workbook has one sheet, which stays in front of the requested ones. */
function warnOfEmpty({ part, sheets }: Book): string[] {
  const [first] = sheets
  const xml = part.sheets.length === 1 && first?.id === 0 ? first.xml() : undefined
  const isEmpty = xml?.ok && xml.value.rows.count === 0 && xml.value.tail.length === 0
  if (!first || !isEmpty || first.cells.size > 0) return []
  return [
    `The sheet ${JSON.stringify(first.name)} came with the workbook and is empty; delete_sheet removes it.`,
  ]
}

function refuseUnlessEditable(editor: Editor, sheet: Sheet, options: ApplyOptions): void {
  if (sheet.kind === 'chartsheet') return
  const problem = sheet.findProblem()
  if (problem !== undefined)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      `the sheet ${JSON.stringify(sheet.name)} is not well-formed (${problem}), so it is kept as it is`,
    )
  const twin = findTwin(editor.book, sheet)
  if (twin)
    throw new Refusal(
      'CONFLICT',
      `the sheets ${JSON.stringify(sheet.name)} and ${JSON.stringify(twin.name)} are one and the same part of the file, so an edit of one would change both; ask for a copy saved by a spreadsheet program`,
    )
  const xml = sheet.xml()
  if (!xml.ok || !isTrue(attribute(treeOf(xml.value, 'sheetProtection'), 'sheet'))) return
  if (options.allowProtected) editor.note(`the sheet ${sheet.name} is protected`)
  else
    throw new Refusal(
      'PROTECTED',
      `the sheet ${JSON.stringify(sheet.name)} is protected; ask the person, then send allow_protected: true`,
    )
}

/** Another sheet that uses the same part. */
function findTwin({ sheets }: Book, { source, id }: Sheet): Sheet | undefined {
  if (source.from !== 'part' || source.part === '') return undefined
  return sheets.find(
    other => other.id !== id && other.source.from === 'part' && other.source.part === source.part,
  )
}

interface Ran {
  readonly results: readonly OperationResult[]
  readonly changes: readonly Change[]
  readonly warnings: string[]
  readonly traces: readonly OperationTrace[]
  takeBack(): void
}

interface Refused {
  readonly refusal: Refusal
  readonly position: number
}
