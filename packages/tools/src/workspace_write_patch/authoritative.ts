import { type DocPath, ok } from '@filewright/protocol'
import type { ServerContext, SourceFile } from '../server-context.ts'

export interface AuthoritativeFile extends SourceFile {
  /** The file as saved, where unsaved text takes precedence over it. */
  readonly saved?: SourceFile
}

/** The file a patch is checked against: the unsaved text of an active file outranks what the store has (TUL-002 §3). */
export async function authoritative(docPath: DocPath, { activeFiles, sources }: ServerContext) {
  const current = await sources.read(docPath, { similar: true })
  const active = current.ok ? await activeFiles.find(docPath) : undefined
  const unsaved = active?.isDirty ? await sources.bytes(active.sha256) : undefined
  if (!current.ok || !active || !unsaved) return current
  const saved = current.value
  return ok<AuthoritativeFile>({ ...saved, sha256: active.sha256, bytes: unsaved, saved })
}
