import { draftsOf } from '../../draft-log.ts'
import { XlsxDocument } from './document.ts'

export const workbookDrafts = draftsOf(XlsxDocument.open)
