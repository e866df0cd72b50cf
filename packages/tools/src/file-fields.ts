import { z } from 'zod'

/** What a listing tells of one file. */
export const fileEntry = z.object({
  path: z.string().describe('Spelling on disk'),
  docPath: z.string().describe('The key: lower case'),
  kind: z.string(),
  sizeBytes: z.number().int(),
  modified: z.string(),
  version: z.string().nullable().describe('null when its bytes were never hashed'),
  draft: z.string().describe('none, created, changed, moved or deleted'),
  folded: z.object({ files: z.number().int() }).optional(),
  isPrivate: z.boolean().optional(),
  conflict: z.boolean().optional(),
})

/** The frame of every answer about one file. */
export const fileFacts = {
  path: z.string(),
  docPath: z.string(),
  format: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  version: z.string(),
  draft: z.string(),
}

export const changeFields = z.object({
  id: z.string(),
  place: z.string(),
  kind: z.string(),
  op: z.string(),
})

/** What an edit in the draft answers, whatever the format. */
export const editedFields = {
  ...fileFacts,
  created: z.boolean(),
  draftId: z.string(),
  results: z.array(z.looseObject({ op: z.string(), message: z.string() })),
  changes: z.array(changeFields).describe('At most 100 of them; the review has all'),
  changeCount: z.number().int(),
}
