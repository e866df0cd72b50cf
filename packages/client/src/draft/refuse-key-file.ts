import { type DocPath, fail, howToAllow, type Result, refusePrivate } from '@filewright/protocol'
import type { Workspace } from '../workspace/tree/workspace.ts'
import type { DraftFile } from './draft.ts'

/** What the names and the rules of a person say. */
interface KeyRules {
  readonly workspace: Pick<Workspace, 'isPrivate' | 'locate'>
  readonly allowsReading: (docPath: string) => boolean
  readonly allowsWriting: (docPath: string) => boolean
}

export interface KeyFilePlace {
  readonly docPath: DocPath
  readonly path: string
  /** As the disk has it; where no file is yet, its name decides. */
  readonly isPrivate?: boolean
}

/** A key file is written only where a person allowed it: a draft of it would already hold its content. */
export function refuseKeyFile(
  { workspace, allowsWriting }: Pick<KeyRules, 'workspace' | 'allowsWriting'>,
  { docPath, path, isPrivate = workspace.isPrivate(docPath) }: KeyFilePlace,
): Result<never, 'PRIVATE_FILE'> | undefined {
  if (!isPrivate || allowsWriting(docPath)) return undefined
  return fail(
    'PRIVATE_FILE',
    `Nothing was written: "${path}" may hold keys or passwords; ${howToAllow('write', path)}`,
    { details: { docPath } },
  )
}

/** As the disk has it now: a link to a key file is one too. */
export async function mayBeRead(
  { workspace, allowsReading }: Pick<KeyRules, 'workspace' | 'allowsReading'>,
  docPath: string,
): Promise<boolean> {
  if (allowsReading(docPath)) return true
  const located = await workspace.locate(docPath)
  return !(located.ok ? located.value.isPrivate : workspace.isPrivate(docPath))
}

/** A draft that begins with the content of a key file shows it to nobody who may not read that file. */
export function refuseDraftedKeyFile(
  { workspace, allowsReading }: Pick<KeyRules, 'workspace' | 'allowsReading'>,
  { docPath, path, begin }: DraftFile,
): Result<never, 'PRIVATE_FILE'> | undefined {
  const isHidden = begin !== null && workspace.isPrivate(docPath) && !allowsReading(docPath)
  return isHidden ? refusePrivate(path, docPath) : undefined
}

/** Whether the disk is read at the place of a drafted file: not where a key file came to stand meanwhile. */
export function mayFollow(
  { workspace, allowsReading, allowsWriting }: KeyRules,
  docPath: DocPath,
): boolean {
  return workspace.isPrivate(docPath) || allowsReading(docPath) || allowsWriting(docPath)
}
