import { ok } from '@filewright/protocol'
import type { Format } from '../../format.ts'
import { diffDocuments } from './diff.ts'
import { documentDrafts } from './document-drafts.ts'
import { rebase } from './rebase.ts'
import { copyDocument, createDocument } from './write/create.ts'

export const docxFormat: Format = {
  ...documentDrafts,
  create: (name, from) => (from ? copyDocument(from, name.path) : createDocument(name.path)),
  rebase,
  diff(before, after, name) {
    // a created or deleted file is one change, the file itself
    if (!before || !after) return ok({ by: 'places', changes: [], isTruncated: false })
    const differences = diffDocuments(before, after, name)
    return differences.ok ? ok({ by: 'places', ...differences.value }) : differences
  },
}
