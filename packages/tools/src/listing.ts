import {
  counted,
  type FilePage,
  isFields,
  ok,
  parseRelativePath,
  type Result,
  takeField,
  toDocPath,
} from '@filewright/protocol'
import { z } from 'zod'

/** The arguments of a listing. */
export const listingFields = {
  path: z.string().max(1000).optional().describe('Only files in this folder'),
  pattern: z
    .string()
    .max(1000)
    .optional()
    .describe('Only paths that contain this or match a form such as *.xlsx or src/**/*.ts'),
  after: z.string().optional().describe('Where the last page ended (its `next`)'),
  limit: z.number().int().min(1).max(2000).optional().describe('Files per page; default 500'),
}

const FOLDER_NAMES = ['folder', 'directory', 'dir', 'under', 'prefix']

/** `path` where a model calls it a folder. */
export function meantFolder(given: unknown): unknown {
  if (!isFields(given) || given.path !== undefined) return given
  const [path, rest] = takeField(given, FOLDER_NAMES)
  return path === undefined ? given : { ...rest, path }
}

export interface Narrowed {
  /** What the paths must contain or match; undefined: no filter. */
  readonly named?: string
  /** As a model reads it after the count. */
  readonly as: string
}

/** The files selected by a folder and a pattern. "." and "/" are the whole workspace. */
export function narrow(path = '', pattern = ''): Result<Narrowed, 'InvalidPath'> {
  const folder = path.trim().replaceAll('\\', '/').replace(/\/$/, '')
  const form = pattern.trim()
  const ofForm = form === '' ? '' : ` of ${JSON.stringify(form)}`
  if (folder === '' || folder === '.') return ok({ named: form || undefined, as: ofForm })
  const isForm = folder.includes('*')
  const parsed = isForm ? ok(folder) : parseRelativePath(folder)
  if (!parsed.ok) return parsed
  const as = ` ${isForm ? 'of' : 'in'} ${JSON.stringify(folder)}${ofForm}`
  return ok({ named: joined(parsed.value, form), as })
}

function joined(folder: string, form: string): string {
  if (form === '') return folder.includes('*') ? folder : `${folder}/**`
  return `${folder}/**/${form.includes('*') ? form : `*${form}*`}`
}

export function countListed({ total }: Pick<FilePage, 'total'>, { named, as }: Narrowed): string {
  const hint = total === 0 && named !== undefined ? '; ignored ones are not listed' : ''
  return `${counted(total, 'file')}${as}${hint}`
}

/** How to request the next page. */
export function askForMore(next: string, { named }: Narrowed): string {
  return `pass after: ${JSON.stringify(next)}${named === undefined ? '' : ' with the rest as it is'}`
}

/** Which files a folder holds; undefined: all. */
export function toFolderFilter(
  path = '',
): Result<((docPath: string) => boolean) | undefined, 'InvalidPath'> {
  const folder = path.trim().replaceAll('\\', '/').replace(/\/$/, '')
  if (folder === '' || folder === '.') return ok(undefined)
  const parsed = parseRelativePath(folder)
  if (!parsed.ok) return parsed
  const docPath = toDocPath(parsed.value)
  return ok(each => each === docPath || each.startsWith(`${docPath}/`))
}
