import { FORMATS } from '@filewright/documents'
import type { LeftOut } from '@filewright/protocol'
import { z } from 'zod'

/** The fields of one file in a listing. */
export const fileEntry = z.object({
  path: z.string().describe('Spelling on disk'),
  docPath: z.string().describe('The key: lower case'),
  kind: z.string().describe('The ending of its name, such as xlsx; folder for a folded one'),
  access: z
    .string()
    .nullable()
    .optional()
    .describe(
      'By its name: edit; read (read-only); none (cannot be read); unknown (if it is text, it can be edited, else not read); null for a folder',
    ),
  sizeBytes: z
    .number()
    .int()
    .nullable()
    .describe('Of the file as the draft has it; null while a drafted office file is not written'),
  modified: z.string().describe('When it was last written, ISO 8601'),
  version: z.string().nullable().describe('null when its bytes were never hashed'),
  draft: z.string().describe('none, created, changed, moved or deleted'),
  folded: z
    .object({ files: z.number().int().describe('How many files it holds') })
    .optional()
    .describe('An ignored folder, listed as one line'),
  isPrivate: z.boolean().optional().describe('A key file: listed and not read'),
  conflict: z.boolean().optional().describe('Another file folds to the same docPath'),
})

/** The fields of a listing about entries it cannot list. */
export const leftOut = z
  .object({
    total: z.number().int().describe('How many'),
    first: z
      .array(
        z.object({
          path: z.string().describe('In printable letters; no tool takes it'),
          reason: z.string().describe('Why no tool can use it'),
        }),
      )
      .describe('At most 20 of them'),
  })
  .optional()
  .describe('Files and folders that no tool can use; absent when there are none')

/** As a model reads it, below the first page. */
export function describeLeftOut({ total, first }: LeftOut): string {
  const named = first.map(({ path, reason }) => `"${path}" (${reason})`)
  const more = total > first.length ? [`and ${total - first.length} more`] : []
  return `Not listed, because no tool can use ${total === 1 ? 'it' : 'them'}: ${[...named, ...more].join(', ')}. A person can rename ${total === 1 ? 'it' : 'them'} or change what ${total === 1 ? 'it leads' : 'they lead'} to.`
}

/** The common fields of every answer about one file. */
export const fileFacts = {
  path: z.string().describe('Spelling on disk'),
  docPath: z.string().describe('The key: lower case'),
  format: z.string().describe(
    `What it is read as: ${[...FORMATS]
      .map(({ id }) => id)
      .sort()
      .join(', ')} …`,
  ),
  sizeBytes: z
    .number()
    .int()
    .nullable()
    .describe('Of the whole file; null while a drafted office file is not written'),
  sha256: z.string().nullable().describe('Of the whole file, as the draft has it; null likewise'),
  version: z.string().nullable().describe('The first 8 digits of sha256; arguments accept it'),
  draft: z.string().describe('none, created, changed or moved'),
}

/** Pictures of an answer, by name: their bytes are in the store. */
export const picturesField = z.array(
  z.object({
    sha256: z.string().describe('Of its bytes, which the store keeps'),
    mediaType: z.string().describe('Such as image/jpeg'),
  }),
)

/** The fields that formats add, in the map of a file or in a read. */
export function answerFields(of: 'map' | 'read'): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(FORMATS.flatMap(({ reading }) => Object.entries(reading.fields[of])))
}

const kinds = new Set(FORMATS.flatMap(({ editing }) => editing?.kinds ?? []))

export const changeFields = z.object({
  id: z.string().describe('What review and publish call it'),
  place: z.string().describe('Where, such as Sales!B2 or lines 12-14'),
  kind: z.string().describe(`${[...kinds].join(', ')} or file`),
  op: z.string().describe('The operation that made it'),
})

/** The answer to an edit in the draft, for any format. */
export const editedFields = {
  ...fileFacts,
  created: z.boolean().describe('The file is new in the draft'),
  draftId: z
    .string()
    .nullable()
    .describe('The draft that holds it; null when nothing was changed and none is open'),
  results: z
    .array(
      z.looseObject({
        op: z.string().describe('The operation'),
        message: z.string().describe('What it did'),
      }),
    )
    .describe('One for each operation, in order'),
  changeCount: z.number().int().describe('How many changes there are in all'),
  places: z
    .array(z.string())
    .describe('Where they are, such as Sales!B2:C9 or lines 12-14; at most 20'),
  changes: z
    .array(changeFields)
    .optional()
    .describe('Each with its id, where asked for; at most 100, the review has all'),
}
