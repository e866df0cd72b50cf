import type { FormatId } from '@filewright/documents'
import { type DocPath, fail, type Region, type Result } from '@filewright/protocol'
import type { FileFailure } from '@filewright/tools'
import type { ViewedFile } from '../draft/draft-view.ts'
import { recogniseByName } from '../draft/recognise.ts'

type Failed = Result<never, FileFailure>

const SELECTORS: Readonly<Record<FormatId, readonly (keyof Region)[]>> = {
  text: ['line_start', 'line_count', 'byte_start'],
  xlsx: ['sheet', 'range'],
}

/** A selector of another format would be ignored in silence. */
export function findForeignSelector(file: ViewedFile, region: Region): Failed | undefined {
  const own = SELECTORS[file.format]
  const foreign = (Object.keys(region) as (keyof Region)[]).filter(
    key => region[key] !== undefined && !own.includes(key),
  )
  if (foreign.length === 0) return undefined
  return fail(
    'INVALID_ARGUMENT',
    `Cannot read "${file.path}" by ${foreign.join(' and ')}: it is a ${file.format} file and takes ${own.join(' and ')}.`,
    {
      details: { selectors: own },
    },
  )
}

/** Text onto an office, pdf or image name, or a sheet's operations onto another name. */
export function refuseForeignName(
  path: string,
  docPath: DocPath,
  format: FormatId,
): Failed | undefined {
  const other = recogniseByName(docPath)
  if (other)
    return fail(
      'READ_ONLY_FORMAT',
      `Nothing was written: "${path}" is named like ${other.label}, which this version does not write. ${other.instead}`,
    )
  const isSheet = /\.(xlsx|xlsm|xltx|xltm)$/.test(docPath)
  if (format === 'text' && isSheet)
    return fail(
      'READ_ONLY_FORMAT',
      `Nothing was written: "${path}" is a spreadsheet; text cannot be written onto it. Use xlsx_operations (create_if_missing: true makes a new one), or a name that ends in .md, .txt or .csv.`,
    )
  if (format === 'xlsx' && !isSheet)
    return fail(
      'READ_ONLY_FORMAT',
      `Nothing was written: "${path}" is not named like a spreadsheet. Use a path that ends in .xlsx, or write_text_file for text.`,
    )
  return undefined
}
