import { draftsOf } from '../../draft-log.ts'
import { DeckDocument } from './document.ts'

export const deckDrafts = draftsOf(DeckDocument.open)
