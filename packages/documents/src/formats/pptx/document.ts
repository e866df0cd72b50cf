import { ok, type Reading, type Result } from '@filewright/protocol'
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
import type { DeckRegion } from './declared/selectors.ts'
import { DeckEditor } from './edit/editor.ts'
import { runOperation } from './operations/index.ts'
import { DeckPackage } from './parts/deck-package.ts'
import { Deck } from './slide/deck.ts'
import { mapDeck } from './view/map.ts'
import { readDeck } from './view/read.ts'
import { searchDeck } from './view/search.ts'
import { tablesOfDeck } from './view/tables.ts'

/** A deck held open. */
export class DeckDocument extends LiveDocument<DeckEditor> implements OpenDocument {
  readonly deck: Deck

  private constructor(own: DeckPackage, name: DocumentName) {
    super(own, name, runOperation)
    this.deck = new Deck(own)
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

  protected editorFor(running: RunningOperation): DeckEditor {
    const { isSigned } = this.deck.package
    return new DeckEditor({
      ...running,
      deck: this.deck,
      ...(isSigned && { notes: ['breaks the digital signature'] }),
    })
  }

  protected findRefusal(options: ApplyOptions): Result<never> | undefined {
    return refuseSigned(this.deck.package, 'deck', options)
  }
}
