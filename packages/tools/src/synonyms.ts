import { FORMATS } from '@filewright/documents'
import { isSameName } from '@filewright/protocol'

type Synonyms = Readonly<Record<string, readonly string[]>>

/**
 * Names that models use for an argument when they ignore the schema. Each means the same and nothing more: a corrected
 * call renames by this list alone.
 */
const SYNONYMS = joined([
  {
    path: ['file', 'filename', 'filepath', 'docPath', 'target'],
    content: ['text', 'contents', 'body', 'data'],
    edits: ['changes', 'replacements'],
    operations: ['ops', 'actions', 'commands'],
    id: ['changeId', 'batchId', 'filePatchId', 'toolCallId'],
    pattern: ['glob', 'filter', 'query', 'name', 'named'],
    search: ['find', 'old', 'oldString', 'oldStr', 'oldText', 'original', 'from'],
    replace: ['new', 'newString', 'newStr', 'newText', 'replacement', 'replaceWith', 'with', 'to'],
    all: ['replaceAll', 'global', 'everywhere'],
    from: ['path', 'source', 'src', 'oldPath', 'sourcePath'],
    to: ['target', 'destination', 'dest', 'dst', 'newPath', 'targetPath', 'destinationPath'],
    op: ['operation', 'type', 'action', 'command', 'kind'],
  },
  ...FORMATS.map(({ synonyms = {} }) => synonyms),
])

/** Words that models use for an allowed value of an argument. */
const WORDS = joined([
  { move: ['rename', 'mv'], copy: ['cp', 'duplicate'], delete: ['remove', 'rm', 'unlink'] },
  ...FORMATS.map(({ editing }) =>
    Object.fromEntries(
      Object.entries(editing?.operations?.operations ?? {}).map(([name, { synonyms = [] }]) => [
        name,
        synonyms,
      ]),
    ),
  ),
])

/** Merges the synonyms that several sources declare for one name. */
function joined(tables: readonly Synonyms[]): Synonyms {
  const all: Record<string, readonly string[]> = {}
  for (const [name, words] of tables.flatMap(Object.entries<readonly string[]>))
    all[name] = [...(all[name] ?? []), ...words]
  return all
}

/** The names under which an argument may arrive. */
export function namesFor(field: string): readonly string[] {
  return [field, ...(SYNONYMS[field] ?? [])]
}

/** The field that a name certainly means, among those that are free: its other spelling, or a known synonym. */
export function fieldNamed(name: string, free: readonly string[]): string | undefined {
  return free.find(field => isSameName(field, name)) ?? free.find(field => isSynonym(field, name))
}

export function isSynonym(field: string, name: string): boolean {
  return SYNONYMS[field]?.some(synonym => isSameName(synonym, name)) === true
}

/** One of these words, in another spelling or by a synonym. */
export function wordFor(sent: string, words: readonly string[]): string | undefined {
  if (words.includes(sent)) return sent
  return (
    words.find(word => isSameName(word, sent)) ??
    words.find(word => WORDS[word]?.some(synonym => isSameName(synonym, sent)))
  )
}
