import { draftsOf } from '../../draft-log.ts'
import type { Evaluator } from '../../evaluation.ts'
import { XlsxDocument } from './document.ts'

export function workbookDrafts(evaluator?: Evaluator): ReturnType<typeof draftsOf> {
  return draftsOf((bytes, name) => XlsxDocument.open(bytes, name, evaluator))
}
