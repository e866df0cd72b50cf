import { type Effect, parseDocPath } from '@filewright/protocol'

/** A file that a client wrote, by its requested or reported path; undefined where that is not a path. */
export function writtenFile(path: unknown, action: 'created' | 'changed'): readonly Effect[] {
  const docPath = parseDocPath(String(path))
  if (!docPath.ok) return []
  const place = { docPath: docPath.value, path: String(path), where: 'workspace' as const }
  return [{ ...place, action, count: 1, unit: action === 'created' ? 'files' : 'changes' }]
}
