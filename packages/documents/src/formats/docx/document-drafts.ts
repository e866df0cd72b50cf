import { draftsOf } from '../../draft-log.ts'
import { DocxDocument } from './document.ts'

export const documentDrafts = draftsOf(DocxDocument.open)
