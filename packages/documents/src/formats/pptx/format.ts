import { ok } from '@filewright/protocol'
import { DRAW_TASK, type Format } from '../../format.ts'
import { deckDrafts } from './deck-drafts.ts'
import { diffDecks } from './diff.ts'
import { drawSlides } from './draw-slides.ts'
import { rebase } from './rebase.ts'
import { copyDeck, createDeck } from './write/create.ts'

export const pptxFormat: Format = {
  ...deckDrafts,
  create: (name, from) => (from ? copyDeck(from, name.path) : createDeck(name.path)),
  rebase,
  tasks: { [DRAW_TASK]: drawSlides },
  diff(before, after, name) {
    // a created or deleted file is one change, the file itself
    if (!before || !after) return ok({ by: 'places', changes: [], isTruncated: false })
    const differences = diffDecks(before, after, name)
    return differences.ok ? ok({ by: 'places', ...differences.value }) : differences
  },
}
