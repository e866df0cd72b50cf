import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BESIDE, FIELDS, FINE_SEARCH, SIDES, TRACK } from './fields.ts'

const { name, search, place, show, levels } = FIELDS
const { title, subject, author, keywords, description, category, status } = optional({
  title: z.string(),
  subject: z.string(),
  author: z.string(),
  keywords: z.string(),
  description: z.string(),
  category: z.string(),
  status: z.string(),
})

/** Operations on bookmarks, captions, contents and document properties. */
export const REFERENCE_OPERATIONS = {
  set_bookmark: {
    takes: {
      name: name.refine(own => /^[\p{L}_][\p{L}\p{N}_]{0,39}$/u.test(own), {
        error: 'is a letter, then up to 39 letters, digits and underscores',
      }),
      ...optional({ search, place }),
    },
    understands: FINE_SEARCH,
    does: 'puts a bookmark on the matched text or a paragraph, or moves it there',
    example: { name: 'terms', search: 'Terms' },
    synonyms: ['add_bookmark', 'insert_bookmark', 'create_bookmark'],
  },
  delete_bookmark: {
    takes: { name },
    understands: TRACK,
    does: 'deletes a bookmark; its text stays',
    example: { name: 'terms' },
    synonyms: ['remove_bookmark'],
  },
  insert_cross_reference: {
    takes: {
      target: FIELDS.target.refine(own => own.trim() !== '', { error: 'names nothing' }),
      ...optional({ search, place, show }),
    },
    understands: FINE_SEARCH,
    does: 'refers to a heading, numbered paragraph, bookmark or caption behind the matched text; Word keeps it up to date',
    example: { target: 'Terms', search: 'see' },
    synonyms: ['cross_reference', 'add_cross_reference', 'insert_reference', 'add_reference'],
  },
  insert_caption: {
    takes: {
      text: z.string().describe('What the picture or table shows'),
      caption_label: FIELDS.caption_label
        .refine(own => /^\p{L}[\p{L}\p{N}_]{0,39}$/u.test(own), {
          error: 'is one word, such as Figure or Table',
        })
        .default('Figure'),
      ...BESIDE,
    },
    understands: TRACK,
    either: SIDES,
    does: 'adds a numbered caption',
    example: { text: 'The plan of the house', after: 'p2' },
    synonyms: ['add_caption', 'caption'],
  },
  insert_toc: {
    takes: { ...BESIDE, levels: levels.min(1).max(9).default(3) },
    understands: TRACK,
    either: SIDES,
    does: 'adds a table of contents, which Word fills in when it opens the file',
    example: { before: 'p1' },
    synonyms: ['add_toc', 'insert_table_of_contents', 'add_table_of_contents', 'table_of_contents'],
  },
  set_properties: {
    takes: {
      properties: z
        .object({ title, author, subject, keywords, description, category, status })
        .catchall(z.string())
        .describe('title, author, subject, keywords, description, category, status'),
    },
    understands: TRACK,
    does: 'sets document properties',
    example: { properties: { title: 'Annual report', author: 'Ann' } },
    synonyms: ['set_document_properties', 'set_metadata', 'update_properties'],
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
