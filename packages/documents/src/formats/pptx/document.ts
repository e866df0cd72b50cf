import {
  type Change,
  type ChangeId,
  type Content,
  fail,
  type LoggedOperation,
  ok,
  type Reading,
  type Result,
} from '@filewright/protocol'
import { applyLog } from '../../apply-log.ts'
import { keyOf } from '../../draft-log.ts'
import type {
  AppliedOperations,
  ApplyOptions,
  DocumentName,
  DocumentTable,
  FileMap,
  OpenDocument,
  ReadOptions,
  SearchHits,
  SearchQuery,
} from '../../format.ts'
import type { FoundPlaces, LastWriters } from '../../operation-editor.ts'
import type { DeckRegion } from './declared/selectors.ts'
import { DeckEditor } from './edit/editor.ts'
import { OPERATIONS } from './operations/index.ts'
import { DeckPackage } from './parts/deck-package.ts'
import { Deck } from './slide/deck.ts'
import { mapDeck } from './view/map.ts'
import { readDeck } from './view/read.ts'
import { searchDeck } from './view/search.ts'
import { tablesOfDeck } from './view/tables.ts'

/** A deck held open: edits are made on trees over the file's bytes, and bytes are built on request. */
export class DeckDocument implements OpenDocument {
  readonly deck: Deck
  /** What each operation found where it looked, by its key in the log. */
  readonly found = new Map<string, FoundPlaces>()
  readonly #name: DocumentName
  readonly #writers: LastWriters = new Map()
  readonly #changes: Change[] = []

  private constructor(own: DeckPackage, name: DocumentName) {
    this.deck = new Deck(own)
    this.#name = name
  }

  static open(bytes: Uint8Array, name: DocumentName): Result<DeckDocument> {
    const opened = DeckPackage.open(bytes)
    return opened.ok ? ok(new DeckDocument(opened.value, name)) : opened
  }

  map(): Result<FileMap> {
    return mapDeck(this.deck)
  }

  read(region: DeckRegion, options: ReadOptions): Result<Reading> {
    return readDeck(this.deck, region, options)
  }

  search(query: SearchQuery): Result<SearchHits> {
    return searchDeck(this.deck, query)
  }

  tables(): Result<readonly DocumentTable[]> {
    return tablesOfDeck(this.deck)
  }

  changes(): readonly Change[] {
    return this.#changes
  }

  content(): Result<Content> {
    return this.deck.package.content()
  }

  apply(log: readonly LoggedOperation[], options: ApplyOptions = {}): Result<AppliedOperations> {
    return this.applyAccepted(log, options)
  }

  applyAccepted(
    log: readonly LoggedOperation[],
    options: ApplyOptions,
    accepts?: (id: ChangeId) => boolean,
    full?: DeckDocument,
  ): Result<AppliedOperations> {
    const { isSigned } = this.deck.package
    if (log.length > 0 && isSigned && !options.allowBreakSignature)
      return fail(
        'SIGNED',
        'Nothing was written: the deck carries a digital signature, which any edit breaks. Ask the person, then send allow_break_signature: true.',
      )
    const applied = applyLog(
      {
        package: this.deck.package,
        handlers: OPERATIONS,
        editorFor: (logged, undo) => {
          const recalled =
            full?.found.get(keyOf(logged)) ?? (logged.operation.found as FoundPlaces | undefined)
          return new DeckEditor({
            deck: this.deck,
            logged,
            name: this.#name,
            writers: this.#writers,
            undo,
            options,
            ...(accepts && { accepts }),
            ...(recalled && { recalled }),
            ...(isSigned && { notes: ['breaks the digital signature'] }),
          })
        },
        done: (logged, editor) => this.found.set(keyOf(logged), editor.found),
      },
      log,
    )
    if (applied.ok) this.#changes.push(...applied.value.changes)
    return applied
  }
}
