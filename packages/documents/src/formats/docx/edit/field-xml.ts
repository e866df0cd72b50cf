import { encodeText } from '../../../opc/index.ts'
import { textXml } from './text-edit.ts'

/** The runs of a field with its result. A field that is due is worked out again when Word opens the file. */
export function fieldXml(code: string, result: string, isDue = false): string {
  const begin = `<w:r><w:fldChar w:fldCharType="begin"${isDue ? ' w:dirty="true"' : ''}/></w:r>`
  const instruction = `<w:r><w:instrText xml:space="preserve"> ${encodeText(code)} </w:instrText></w:r>`
  return `${begin}${instruction}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r>${textXml(result)}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
}
