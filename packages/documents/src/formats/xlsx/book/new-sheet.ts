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

/** An empty worksheet, with rows as high as that font needs: some programs cut text where no height is said. */
export function newSheetBytes(isStrict: boolean, points = 11): Uint8Array {
  const height = (Math.round(((points * 4) / 3) * LINE_HEIGHT) + 2) * 0.75
  return Buffer.from(
    `${XML_DECLARATION}<worksheet xmlns="${mainNamespace(isStrict)}" xmlns:r="${relationshipNamespace(isStrict)}"><sheetFormatPr defaultRowHeight="${height}"/><sheetData/></worksheet>`,
  )
}

const LINE_HEIGHT = 1.22 // of the letters' size, in Calibri

/** The styles of a workbook that has none of its own. */
export function blankStyles(isStrict: boolean): Uint8Array {
  return Buffer.from(
    `${XML_DECLARATION}<styleSheet xmlns="${mainNamespace(isStrict)}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  )
}
