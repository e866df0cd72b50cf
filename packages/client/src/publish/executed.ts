import { type DocPath, type ExecutedFile, fail, type Result } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { whyExecuted } from '../workspace/tree/executed-files.ts'

type Means = Pick<Desk, 'workspace' | 'writesUnasked'>
type NamedFile = Pick<ExecutedFile, 'path' | 'docPath'>

/** Files of a review that other programs execute, and that no rule names: a person decides on each by name. */
export async function findExecuted(
  desk: Means,
  reviewed: readonly ReviewedFile[],
): Promise<readonly ExecutedFile[]> {
  const found: ExecutedFile[] = []
  for (const { file, changes } of reviewed)
    for (const place of placesOf(file))
      found.push(
        ...(await executedAt(
          desk,
          place,
          changes.map(({ id }) => id),
        )),
      ) // a move has two
  return found
}

/** The same of a whole draft, without its changes. */
export async function findExecutedFiles(
  desk: Means,
  { files }: Draft,
): Promise<readonly ExecutedFile[]> {
  const places = [...files.values()].flatMap(placesOf)
  return (await Promise.all(places.map(place => executedAt(desk, place)))).flat()
}

/** The docPaths that a decision about these files covers. */
export function namedBy(files: Iterable<DraftFile>): readonly DocPath[] {
  return [...files].flatMap(placesOf).map(({ docPath }) => docPath as DocPath)
}

export async function executedAt(
  { workspace, writesUnasked }: Means,
  { path, docPath }: NamedFile,
  changeIds: readonly string[] = [],
): Promise<readonly ExecutedFile[]> {
  if (writesUnasked(docPath)) return []
  const why = await whyExecuted(workspace, docPath as DocPath)
  return why === undefined ? [] : [{ path, docPath, why: toSentence(path, why), changeIds }]
}

/** It is written there, and leaves the place that it is moved from. */
function placesOf({ docPath, path, origin }: DraftFile): NamedFile[] {
  const from = origin?.how === 'move' ? [{ docPath: origin.from, path: origin.fromPath }] : []
  return [{ docPath, path }, ...from]
}

function toSentence(path: string, why: string): string {
  return `Other programs execute "${path}" unasked: ${why}.`
}

/** Nobody was asked about them by name. `how` says what would name them; empty: nothing can. */
export function waitsForName(
  files: readonly ExecutedFile[],
  how: string,
): Result<never> & { readonly ok: false } {
  const whys = files.map(({ why }) => why).join(' ')
  return fail(
    'DENIED',
    `Nothing was written. ${whys}${how && ` A person has to name it: ${how}`}`,
    {
      details: { executed: files },
    },
  )
}
