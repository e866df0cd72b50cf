import { type DocPath, fail, type Result } from '@filewright/protocol'
import { howToAllow } from '../workspace/tree/private-files.ts'
import type { Desk } from './draft-view.ts'

export interface KeyFilePlace {
  readonly docPath: DocPath
  readonly path: string
  /** As the disk has it; where no file is yet, its name decides. */
  readonly isPrivate?: boolean
}

/** A key file is written only where a person allowed it: a draft of it would already hold its content. */
export function refuseKeyFile(
  { workspace, allowsWriting }: Pick<Desk, 'workspace' | 'allowsWriting'>,
  { docPath, path, isPrivate = workspace.isPrivate(docPath) }: KeyFilePlace,
): Result<never, 'PRIVATE_FILE'> | undefined {
  if (!isPrivate || allowsWriting(docPath)) return undefined
  return fail(
    'PRIVATE_FILE',
    `Nothing was written: "${path}" may hold keys or passwords; ${howToAllow('write', path)}`,
    { details: { docPath } },
  )
}
