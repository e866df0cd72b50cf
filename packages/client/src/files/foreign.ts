import { editedAs, type FormatFacts, factsOf, formatByName, LINE_TEXT } from '@filewright/documents'
import { type DocPath, fail, type Region, type Result } from '@filewright/protocol'
import type { FileFailure } from '@filewright/tools'
import type { ViewedFile } from '../draft/draft-view.ts'
import { recogniseByName } from '../draft/recognise.ts'

type Failed = Result<never, FileFailure>

/** A selector of another format would otherwise be silently ignored. */
export function findForeignSelector(file: ViewedFile, region: Region): Failed | undefined {
  return findForeign('read', file, region, Object.keys(factsOf(file.format).reading.selectors))
}

export function findForeign(
  doing: 'read' | 'draw',
  file: ViewedFile,
  region: Region,
  own: readonly string[],
): Failed | undefined {
  const foreign = Object.keys(region).filter(key => region[key] !== undefined && !own.includes(key))
  if (foreign.length === 0) return undefined
  return fail(
    'INVALID_ARGUMENT',
    `Cannot ${doing} "${file.path}" by ${foreign.join(' and ')}: it is a ${file.format} file and takes ${own.join(' and ')}.`,
    {
      details: { selectors: own },
    },
  )
}

/** Refuses text for a name that means another format, and a format's operations for a name that is not its own. */
export function refuseForeignName(
  path: string,
  docPath: DocPath,
  format: string,
): Failed | undefined {
  const unread = recogniseByName(docPath)
  if (unread)
    return fail(
      'READ_ONLY_FORMAT',
      `Nothing was written: "${path}" is named like ${unread.label}, which this version does not write. ${unread.instead}`,
    )
  const facts = factsOf(format)
  const claimant = formatByName(docPath)
  if (claimant ? editedAs(claimant.id) === format : facts.endings.length === 0) return undefined
  const why =
    facts.endings.length > 0 ? describeMisnamed(facts, claimant) : describeClaimed(facts, claimant!)
  return fail('READ_ONLY_FORMAT', `Nothing was written: "${path}" ${why}`)
}

function describeMisnamed({ words, editing }: FormatFacts, claimant = factsOf(LINE_TEXT)): string {
  const other = claimant.tool ? `, or ${claimant.tool} for ${claimant.words.document}` : ''
  return `is not named like ${words.file}. Use a path that ends in ${oneOf(editing?.newEndings ?? [])}${other}.`
}

function describeClaimed({ words, editing }: FormatFacts, claimant: FormatFacts): string {
  const made = claimant.editing?.operations ? ' (create_if_missing: true makes a new one)' : ''
  const tool = claimant.tool ? `${claimant.tool}${made}, or ` : ''
  return `is ${claimant.words.file}; ${words.document} cannot be written to it. Use ${tool}a name that ends in ${oneOf(editing?.newEndings ?? [])}.`
}

function oneOf(endings: readonly string[]): string {
  return endings.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}
