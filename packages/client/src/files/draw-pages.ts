import {
  DRAW_TASK,
  type DrawnPart,
  FORMATS,
  type FormatDrawing,
  factsOf,
} from '@filewright/documents'
import type { DocumentRef } from '@filewright/engine'
import { fail, ok, type Reading, type Region, type Result } from '@filewright/protocol'
import type { DrawFailure } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk, ViewedFile } from '../draft/draft-view.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { bytesInDraft } from './bytes-in-draft.ts'
import { findForeign } from './foreign.ts'

type Failed = Result<never, DrawFailure>

const WHOLE_PAGE = [0, 0, 1, 1]
const DRAWN_BYTES = 16 * 1024 // a page and its size for each picture
const PAGES = FORMATS.find(({ drawing }) => drawing?.by === 'itself')!
const DRAWN = FORMATS.filter(({ drawing }) => drawing?.by === 'office')
export const DRAWN_KINDS = DRAWN.map(({ endings }) => endings[0])
  .sort()
  .join(', ')

/** The pages asked for, as pictures, and which part of the file they are. */
export async function drawPages(
  desk: Desk,
  draft: Draft,
  file: ViewedFile,
  given: Region,
): Promise<Result<{ reading: Reading; part?: string }, DrawFailure>> {
  const { drawing } = factsOf(file.format)
  if (!drawing)
    return fail(
      'UNREADABLE_FORMAT',
      `Cannot draw "${file.path}": it is ${factsOf(file.format).words.file}, and pages are made of ${DRAWN_KINDS} and pdf files. Read it with read_file.`,
    )
  const wrong = findForeign('draw', file, given, Object.keys(drawing.selectors))
  if (wrong) return wrong
  const { pages, crop = WHOLE_PAGE, ...region } = given
  const made =
    drawing.by === 'itself' ? ok(asItIs(file)) : await makePages(desk, draft, file, region)
  if (!made.ok) return made
  const { ref, part } = made.value
  const wanted = pages ?? part?.pages
  const asked = { ...(wanted !== undefined && { pages: wanted }), crop }
  const read = await desk.engines.hostile.read(ref, asked, { maxBytes: DRAWN_BYTES })
  if (!read.ok) return read as Failed
  const warnings = [...(part?.warnings ?? []), ...(read.value.warnings ?? [])]
  const reading = { ...read.value, warnings, ...nextOf(read.value, { given, region, drawing }) }
  return ok({ reading, ...(part && { part: part.part }) })
}

interface Pages {
  /** A PDF. */
  readonly ref: DocumentRef
  readonly part?: DrawnPart
}

function asItIs({ ref }: ViewedFile): Pages {
  return { ref }
}

async function makePages(
  desk: Desk,
  draft: Draft,
  { path, docPath, format }: ViewedFile,
  region: Region,
): Promise<Result<Pages, DrawFailure>> {
  const source = await bytesInDraft({ desk, scratch: draft }, path, tooLarge)
  if (!source.ok) return source
  const { bytes } = source.value
  const made = await officePdf(desk, { path, docPath, format, bytes, region })
  if (!made.ok) return made
  const { part, pages } = made.value
  return ok({ ref: pdfRef({ path, docPath, bytes: pages }), ...(part && { part }) })
}

interface NamedBytes extends Pick<ViewedFile, 'path' | 'docPath'> {
  readonly bytes: Uint8Array
}

interface PrintedFile extends NamedBytes {
  readonly format: string
  /** Absent: all of it, as it prints. */
  readonly region?: Region
}

/** The pages of an office file, as a PDF; NO_OFFICE where none can be made. */
export async function officePdf(
  { engines }: Desk,
  { path, docPath, format, bytes, region }: PrintedFile,
): Promise<Result<{ pages: Uint8Array; part?: DrawnPart }, DrawFailure>> {
  const facts = factsOf(format)
  const request = { format: facts.id, task: DRAW_TASK, path, what: 'draw', files: [bytes] }
  const chosen = facts.drawing?.choosesPart
    ? await engines.hostile.task({ ...request, input: { path, ...(region && { region }) } })
    : undefined
  if (chosen && !chosen.ok) return chosen as Failed
  const part = chosen?.value as DrawnPart | undefined
  const ending = docPath.slice(docPath.lastIndexOf('.'))
  const pdf = await engines.office.toPdf({ path, ending, bytes: part?.bytes ?? bytes })
  return pdf.ok ? ok({ pages: pdf.value, ...(part && { part }) }) : pdf
}

function pdfRef({ path, docPath, bytes }: NamedBytes): DocumentRef {
  const state = sha256Of(bytes)
  return {
    key: `pages:${state}`,
    format: PAGES.id,
    name: { docPath, path },
    state,
    load: async () => ok({ bytes, log: [] }),
  }
}

function tooLarge(path: string, megabytes: number): string {
  return `Cannot draw "${path}": it is larger than ${megabytes} MB. Read it with read_file.`
}

interface Asked {
  readonly given: Region
  readonly region: Region
  readonly drawing: FormatDrawing
}

/** What reads on: with the part that was asked for, and a crop only where one was. */
function nextOf({ next }: Reading, { given, region, drawing }: Asked): Pick<Reading, 'next'> {
  if (!next) return {}
  const crop = given.crop === undefined ? {} : { crop: given.crop }
  const pages = String(next.pages)
  return { next: { ...(drawing.ofPages?.(pages) ?? { ...region, pages }), ...crop } }
}
