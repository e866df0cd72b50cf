import { z } from 'zod'

/** What `read_file` takes for a text. */
export const SELECTORS = {
  line_start: z.number().int().optional().describe('First line, 1-based'),
  line_count: z.number().int().optional().describe('How many lines'),
  byte_start: z.number().int().optional().describe('Where to go on in a very long line'),
}

export type TextRegion = z.output<z.ZodObject<typeof SELECTORS>>

/** How a text file is written, as every answer about one tells it. */
export const FORM_FIELDS = {
  eol: z.string().optional().describe('lf, crlf, mixed or none (text)'),
  encoding: z.string().optional().describe('WHATWG label, such as utf-8 (text)'),
  bom: z.boolean().optional().describe('The file begins with a byte order mark (text)'),
  finalNewline: z.boolean().optional().describe('The last line ends with a newline (text)'),
}

export const MAP_FIELDS = {
  ...FORM_FIELDS,
  lineCount: z.number().int().optional().describe('Lines of the file (text)'),
  longestLineBytes: z.number().int().optional().describe('Of its longest line (text)'),
  chunks: z
    .array(z.looseObject({}))
    .optional()
    .describe('Of a long text: line_start and line_count of the parts that one read takes'),
  headings: z
    .array(z.looseObject({}))
    .optional()
    .describe('Of a Markdown file: line, level and title of each'),
  table: z
    .looseObject({})
    .optional()
    .describe('Of a csv file: delimiter, hasHeader, columns with name and type'),
}

export const READ_FIELDS = {
  content: z.string().optional().describe('Verbatim text (text files)'),
  lineStart: z.number().int().optional().describe('First line shown (text)'),
  lineCount: z.number().int().optional().describe('How many lines are shown (text)'),
  totalLines: z.number().int().optional().describe('Lines of the whole file (text)'),
  isTruncated: z.boolean().optional().describe('Less than the whole file is shown (text)'),
  ...FORM_FIELDS,
}
