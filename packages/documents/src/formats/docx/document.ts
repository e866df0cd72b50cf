import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import type {
  ApplyOptions,
  DocumentName,
  DocumentTable,
  FileMap,
  OpenDocument,
  ReadOptions,
  SearchHits,
  SearchQuery,
} from '../../format.ts'
import { LiveDocument, refuseSigned } from '../../live-document.ts'
import type { RunningOperation } from '../../operation-editor.ts'
import type { DocumentRegion } from './declared/selectors.ts'
import { DocumentEditor } from './edit/editor.ts'
import { trackingFor } from './edit/tracking.ts'
import { runOperation } from './operations/index.ts'
import { DocumentPackage } from './parts/document-package.ts'
import { type DocumentSettings, settingsOf } from './parts/settings.ts'
import { Manuscript } from './story/manuscript.ts'
import { mapDocument } from './view/map.ts'
import { readDocument } from './view/read.ts'
import { searchDocument } from './view/search.ts'
import { tablesOfDocument } from './view/tables.ts'

/** A Word document held open. */
export class DocxDocument extends LiveDocument<DocumentEditor> implements OpenDocument {
  readonly manuscript: Manuscript
  readonly #settings: DocumentSettings

  private constructor(own: DocumentPackage, name: DocumentName) {
    super(own, name, runOperation)
    this.manuscript = new Manuscript(own)
    this.#settings = settingsOf(own)
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

  protected editorFor(running: RunningOperation): DocumentEditor {
    const { manuscript } = this
    manuscript.beginOperation()
    const tracking = trackingFor(manuscript, this.#settings, running.logged, what =>
      editor.untracked(what),
    )
    const notes = [
      ...(manuscript.package.isSigned ? ['breaks the digital signature'] : []),
      ...(this.#forbids === undefined ? [] : ['the document is protected']),
    ]
    const editor = new DocumentEditor({
      ...running,
      ...(tracking && { tracking }),
      manuscript,
      notes,
    })
    return editor
  }

  protected findRefusal(options: ApplyOptions): Result<never> | undefined {
    const signed = refuseSigned(this.manuscript.package, 'document', options)
    if (signed) return signed
    const forbids = this.#forbids
    if (forbids === undefined || options.allowProtected) return undefined
    return fail(
      'PROTECTED',
      `Nothing was written: the document is protected and allows only ${ALLOWED_EDITS[forbids] ?? forbids}. Ask the person, then send allow_protected: true.`,
    )
  }

  /** The protection that forbids edits; one that asks for tracked changes does not. */
  get #forbids(): string | undefined {
    const { protection } = this.#settings
    return protection === 'trackedChanges' ? undefined : protection
  }
}

const ALLOWED_EDITS: Readonly<Record<string, string>> = {
  readOnly: 'reading',
  comments: 'comments',
  forms: 'filling in its form',
}
