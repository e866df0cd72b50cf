export const CELL_END = '\u0007'
/** Ours, in place of a character of the document. */
export const [DELETED_MARK, ROW_END_MARK, PARAGRAPH_IN_CELL] = ['\u0000', '\u0010', '\u0011']

const [FIELD, FIELD_RESULT, FIELD_END] = ['\u0013', '\u0014', '\u0015']
const SHOWN: Readonly<Record<string, string>> = {
  '\t': '\t',
  '\r': '\n',
  '\u000b': '\n', // a line break
  '\u000c': '\n', // a page
  '\u000e': '\n', // a column
  '\u001e': '-', // does not break
  [CELL_END]: ' | ',
  [ROW_END_MARK]: '\n',
  [PARAGRAPH_IN_CELL]: ' ',
}

/** A paragraph or a row of a table a line. Of a field its result is kept; pictures and marks are left out. */
export function shownText(text: string): string {
  const fields: boolean[] = [] // whether the code of each open field is still read
  let codes = 0
  let shown = ''
  for (const part of text.split(/([\u0000-\u001f])/)) {
    if (part === FIELD) {
      fields.push(true)
      codes++
    } else if (part === FIELD_RESULT && fields.at(-1)) {
      fields[fields.length - 1] = false
      codes--
    } else if (part === FIELD_END) codes -= fields.pop() ? 1 : 0
    else if (codes === 0) shown += part < ' ' ? (SHOWN[part] ?? '') : part
  }
  return shown.replaceAll('\u00a0', ' ')
}
