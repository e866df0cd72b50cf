import { z } from 'zod'

/** Fields of the operations on notes and comments. */
export const NOTE_FIELDS = {
  note: z
    .union([z.string(), z.number()])
    .describe('A note as read_file shows it: "footnote 2", "endnote 1"'),
  comment: z.union([z.string(), z.number()]).describe('Id of a comment, as in ⟦comment 3⟧'),
  resolved: z.boolean().describe('false opens the comment again'),
}
