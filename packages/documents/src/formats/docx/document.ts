import {
  type Change,
  type ChangeId,
  type Content,
  type Fields,
  fail,
  type LoggedOperation,
  lookUp,
  ok,
  type Reading,
  type Result,
} from '@filewright/protocol'
import { keyOf } from '../../draft-log.ts'
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
import { Refusal } from '../../refusal.ts'
import type { DocumentRegion } from './declared/selectors.ts'
import { DocumentEditor, type FoundPlaces, type LastWriters } from './edit/editor.ts'
import { trackingFor } from './edit/tracking.ts'
import { OPERATIONS } from './operations/index.ts'
import { DocumentPackage } from './parts/document-package.ts'
import { type DocumentSettings, settingsOf } from './parts/settings.ts'
import { Manuscript } from './story/manuscript.ts'
import { mapDocument } from './view/map.ts'
import { readDocument } from './view/read.ts'
import { searchDocument } from './view/search.ts'
import { tablesOfDocument } from './view/tables.ts'

/** A Word document held open: edits are made on trees over the file's bytes, and bytes are built on request. */
export class DocxDocument implements OpenDocument {
  readonly manuscript: Manuscript
  /** What each operation found where it looked, by its key in the log. */
  readonly found = new Map<string, FoundPlaces>()
  readonly #name: DocumentName
  readonly #writers: LastWriters = new Map()
  readonly #changes: Change[] = []
  readonly #settings: DocumentSettings

  private constructor(own: DocumentPackage, name: DocumentName) {
    this.manuscript = new Manuscript(own)
    this.#settings = settingsOf(own)
    this.#name = name
  }

  static open(bytes: Uint8Array, name: DocumentName): Result<DocxDocument> {
    const opened = DocumentPackage.open(bytes)
    return opened.ok ? ok(new DocxDocument(opened.value, name)) : opened
  }

  map(): Result<FileMap> {
    return mapDocument(this.manuscript)
  }

  read(region: DocumentRegion, options: ReadOptions): Result<Reading> {
    return readDocument(this.manuscript, region, options)
  }

  search(query: SearchQuery): Result<SearchHits> {
    return searchDocument(this.manuscript, query)
  }

  tables(): Result<readonly DocumentTable[]> {
    return tablesOfDocument(this.manuscript)
  }

  changes(): readonly Change[] {
    return this.#changes
  }

  content(): Result<Content> {
    return this.manuscript.package.content()
  }

  apply(log: readonly LoggedOperation[], options: ApplyOptions = {}): Result<AppliedOperations> {
    return this.applyAccepted(log, options)
  }

  applyAccepted(
    log: readonly LoggedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
    full?: DocxDocument,
  ): Result<AppliedOperations> {
    const refused = log.length > 0 ? this.#findRefusal(options) : undefined
    if (refused) return refused
    const undo: (() => void)[] = []
    const results: OperationResult[] = []
    const changes: Change[] = []
    const warnings: string[] = []
    const own = this.manuscript.package
    own.record(undo)
    try {
      for (const [position, logged] of log.entries()) {
        const editor = this.#editorFor(logged, undo, options, accepts, full)
        try {
          results.push(runOperation(editor))
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          for (const step of undo.reverse()) step()
          return toFailure(error, position, logged)
        }
        this.found.set(keyOf(logged), editor.found)
        for (const change of editor.changes) changes.push(change)
        warnings.push(...editor.warnings)
      }
    } finally {
      own.record(undefined)
    }
    for (const change of changes) this.#changes.push(change)
    return ok({ results, changes, warnings: [...new Set(warnings)] })
  }

  #editorFor(
    logged: LoggedOperation,
    undo: (() => void)[],
    options: ApplyOptions,
    accepts: ((id: ChangeId) => boolean) | undefined,
    full: DocxDocument | undefined,
  ): DocumentEditor {
    const recalled =
      full?.found.get(keyOf(logged)) ?? (logged.operation.found as FoundPlaces | undefined)
    const { isSigned } = this.manuscript.package
    const { protection } = this.#settings
    this.manuscript.beginOperation()
    const tracking = trackingFor(this.manuscript, this.#settings, logged, what =>
      editor.untracked(what),
    )
    const editor = new DocumentEditor({
      ...(tracking && { tracking }),
      manuscript: this.manuscript,
      logged,
      name: this.#name,
      writers: this.#writers,
      undo,
      options,
      ...(accepts && { accepts }),
      ...(recalled && { recalled }),
      notes: [
        ...(isSigned ? ['breaks the digital signature'] : []),
        ...(protection !== undefined && protection !== 'trackedChanges'
          ? ['the document is protected']
          : []),
      ],
    })
    return editor
  }

  #findRefusal(options: ApplyOptions): Result<never> | undefined {
    if (this.manuscript.package.isSigned && !options.allowBreakSignature)
      return fail(
        'SIGNED',
        'Nothing was written: the document carries a digital signature, which any edit breaks. Ask the person, then send allow_break_signature: true.',
      )
    const { protection } = this.#settings
    const isOpen = protection === undefined || protection === 'trackedChanges'
    if (isOpen || options.allowProtected) return undefined
    return fail(
      'PROTECTED',
      `Nothing was written: the document is protected and allows only ${ALLOWED_EDITS[protection] ?? protection}. Ask the person, then send allow_protected: true.`,
    )
  }
}

const ALLOWED_EDITS: Readonly<Record<string, string>> = {
  readOnly: 'reading',
  comments: 'comments',
  forms: 'filling in its form',
}

function runOperation(editor: DocumentEditor): OperationResult {
  const operation = editor.operation
  const handler = lookUp(OPERATIONS, String(operation.op))
  if (!handler)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `there is no operation ${JSON.stringify(operation.op)}; the operations are ${Object.keys(OPERATIONS).join(', ')}`,
    )
  return handler(editor, operation)
}

function toFailure(
  refusal: Refusal,
  position: number,
  { operation }: LoggedOperation,
): Result<never> {
  const { code, message, meant } = refusal
  const details: Fields = { ...refusal.details, ...(meant && { meant }) }
  return fail(
    code,
    `Nothing was written: operations[${position}] (${operation.op}): ${message}${/[.!?]$/.test(message) ? '' : '.'}`,
    Object.keys(details).length > 0 ? { details } : {},
  )
}
