import { z } from 'zod'

/** The arguments of `read_file` for text. */
export const SELECTORS = {
  line_start: z.number().int().optional().describe('First line, 1-based'),
  line_count: z.number().int().optional().describe('How many lines'),
  byte_start: z.number().int().optional().describe('Where to continue in a very long line'),
}

export type TextRegion = z.output<z.ZodObject<typeof SELECTORS>>

/** The form of a text file, part of every answer about one. */
export const FORM_FIELDS = {
  eol: z.string().optional().describe('lf, crlf, mixed or none (text)'),
  encoding: z.string().optional().describe('WHATWG label, such as utf-8 (text)'),
  bom: z.boolean().optional().describe('The file begins with a byte order mark (text)'),
  finalNewline: z.boolean().optional().describe('The last line ends with a newline (text)'),
}

export const MAP_FIELDS = {
  ...FORM_FIELDS,
  lineCount: z.number().int().optional().describe('Lines of the file (text)'),
  longestLineBytes: z.number().int().optional().describe('Bytes of the longest line (text)'),
  chunks: z
    .array(z.looseObject({}))
    .optional()
    .describe('Long files: line_start and line_count of parts that fit one read'),
  headings: z
    .array(z.looseObject({}))
    .optional()
    .describe('Markdown: line, level and title of each'),
}

export const READ_FIELDS = {
  content: z.string().optional().describe('Verbatim text (text files)'),
  lineStart: z.number().int().optional().describe('First line shown (text)'),
  lineCount: z.number().int().optional().describe('How many lines are shown (text)'),
  totalLines: z.number().int().optional().describe('Lines of the whole file (text)'),
  isTruncated: z.boolean().optional().describe('Only part of the file is shown (text)'),
  ...FORM_FIELDS,
}
