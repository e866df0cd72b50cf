const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const MAIN_STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELATIONSHIPS_STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships'

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'

export function mainNamespace(isStrict: boolean): string {
  return isStrict ? MAIN_STRICT : MAIN
}

export function relationshipNamespace(isStrict: boolean): string {
  return isStrict ? RELATIONSHIPS_STRICT : RELATIONSHIPS
}

/** An empty worksheet. */
export function newSheetBytes(isStrict: boolean): Uint8Array {
  return Buffer.from(
    `${XML_DECLARATION}<worksheet xmlns="${mainNamespace(isStrict)}" xmlns:r="${relationshipNamespace(isStrict)}"><sheetData/></worksheet>`,
  )
}
