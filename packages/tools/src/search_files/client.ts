import { type ClientHandler, counted, ok } from '@filewright/protocol'
import type { ClientContext, FoundInFile, SearchedTree } from '../client-context.ts'
import type { searchFiles } from './tool.ts'

const DEFAULT_LIMIT = 100
const PER_FILE = 20 // of several files: a file full of hits must not hide the others
const SHOWN_BYTES = 44 * 1024 // below the bound of a result, with room for the head

export const searchFilesClient: ClientHandler<typeof searchFiles, ClientContext> = async (
  { query, regex, case_sensitive, path, pattern, context, files_only, after, limit },
  { files, progress },
) => {
  const maxHits = limit ?? DEFAULT_LIMIT
  const asked = {
    ...(regex ? { regex: query } : { text: query }),
    caseSensitive: case_sensitive,
    ...{ path, pattern, after, context, maxHits },
    maxPerFile: files_only ? 0 : Math.min(maxHits, PER_FILE),
  }
  const found = await files.search(asked, (done, total) =>
    progress(`${done} of ${counted(total, 'file')} searched`),
  )
  if (!found.ok) return found
  const { shown, lines } = fitting(found.value.files)
  const isCut = shown.length < found.value.files.length
  const next = isCut ? shown.at(-1)!.path : found.value.next
  const message = countFound(found.value, query)
  return ok({
    fields: {
      files: shown.map(file => toFields(file, files_only === true)),
      hitCount: found.value.hitCount,
      fileCount: found.value.fileCount,
      searched: found.value.searched,
      ...(found.value.unsearched.total > 0 && { unsearched: found.value.unsearched }),
      next,
    },
    message,
    text: [message, ...lines, ...describeRest({ ...found.value, next }, shown.length)].join('\n'),
  })
}

/** As many files as a model sees; always the first. */
function fitting(files: readonly FoundInFile[]) {
  const lines: string[] = []
  let bytes = 0
  const end = files.findIndex(file => {
    const text = toLines(file).join('\n')
    bytes += Buffer.byteLength(text) + 1
    if (bytes > SHOWN_BYTES && lines.length > 0) return true
    lines.push(text)
    return false
  })
  return { shown: end < 0 ? files : files.slice(0, end), lines }
}

function toLines({ path, count, isMore, hits }: FoundInFile): string[] {
  const more = count > hits.length && hits.length > 0 ? `, the first ${hits.length}` : ''
  const head = `${path}  ${counted(count, 'hit')}${isMore ? ' or more' : ''}${more}`
  return [
    head,
    ...hits.flatMap(({ place, text, before = [], after = [] }) => [
      ...before.map(line => `    ${line}`),
      `  ${place}: ${text}`,
      ...after.map(line => `    ${line}`),
    ]),
  ]
}

function toFields({ path, docPath, count, hits }: FoundInFile, isFilesOnly: boolean) {
  if (isFilesOnly) return { path, docPath, count }
  const around = hits.map(({ before, after, ...hit }) => ({
    ...hit,
    ...(before && { before: [...before] }),
    ...(after && { after: [...after] }),
  }))
  return { path, docPath, count, hits: around }
}

function countFound({ hitCount, fileCount, searched, total }: SearchedTree, query: string): string {
  const where = hitCount === 0 ? '' : ` in ${counted(fileCount, 'file')}`
  const part = searched < total ? ` of ${total}, until the time was over` : ''
  return `${counted(hitCount, 'hit')}${where} for ${JSON.stringify(query)} (${counted(searched, 'file')} searched${part})`
}

function describeRest(
  { next, fileCount, unsearched, hitCount }: SearchedTree,
  shown: number,
): string[] {
  const left = fileCount - shown
  const rest = left > 0 ? `${counted(left, 'more file')} with hits; ` : ''
  const failed = unsearched.first.map(({ reason }) => reason).join(' ')
  const many = unsearched.total - unsearched.first.length
  return [
    ...(next === null
      ? []
      : [`… ${rest}pass after: ${JSON.stringify(next)} with the rest as it is`]),
    ...(hitCount === 0 ? ['Ignored files were not searched; name one as path to search it.'] : []),
    ...(unsearched.total > 0
      ? [`Not searched: ${failed}${many > 0 ? ` And ${counted(many, 'more file')}.` : ''}`]
      : []),
  ]
}
