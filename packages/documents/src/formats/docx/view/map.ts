import { counted, ok, type Result } from '@filewright/protocol'
import type { FileMap } from '../../../format.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { mapFields } from './map-fields.ts'
import { mapLines } from './map-lines.ts'

/** The structural map: sections with sizes, tables, images, notes, comments, revisions, placeholders, fields, styles. */
export function mapDocument(manuscript: Manuscript): Result<FileMap> {
  const { words, tables, fields } = mapFields(manuscript)
  const { length } = manuscript.body.paragraphs
  const head = `${counted(length, 'paragraph')}, ${counted(words, 'word')}, ${counted(tables, 'table')}, ${counted(fields.images.length, 'image')}`
  return ok({ text: [head, ...mapLines(fields)].join('\n'), fields })
}
