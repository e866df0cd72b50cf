import { fail, ok, type Result } from '@filewright/protocol'

const FIRST = new Set(['select', 'with', 'values'])

/** Bare words that no SELECT needs. Quoted, they may name a column. */
const FORBIDDEN = new Set([
  ...['attach', 'detach', 'pragma', 'insert', 'update', 'delete', 'create', 'drop', 'alter'],
  ...['vacuum', 'reindex', 'analyze', 'begin', 'commit', 'rollback', 'savepoint', 'release'],
  ...['load_extension', 'fts3_tokenizer', 'readfile', 'writefile', 'edit'],
])

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[A-Za-z_][\w$]*|[\s\S]/gy

/** Exactly one statement that only reads; where SQLite has an authorizer, that checks again what it compiles to. */
export function admitStatement(sql: string): Result<string, 'INVALID_ARGUMENT'> {
  if (sql.includes('\0')) return refuse('it contains U+0000')
  const words: string[] = []
  let isOver = false
  for (const [token] of sql.matchAll(TOKEN)) {
    if (/^(?:\s|--|\/\*)/.test(token)) continue
    if (isOver && token !== ';') return refuse('it has more than one statement')
    if (token === ';') isOver = true
    else if (/^[A-Za-z_]/.test(token)) words.push(token.toLowerCase())
  }
  if (!FIRST.has(words[0] ?? '')) return refuse(`it begins with ${shown(words[0])}`)
  const wrong = words.find(
    (word, i) =>
      FORBIDDEN.has(word) ||
      word.startsWith('pragma_') ||
      (word === 'replace' && words[i + 1] === 'into'),
  )
  return wrong === undefined ? ok(sql) : refuse(`it uses ${shown(wrong)}`)
}

function shown(word: string | undefined): string {
  return word === undefined ? 'no word' : word.toUpperCase()
}

export function refuse(reason: string): Result<never, 'INVALID_ARGUMENT'> {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot run the query: ${reason}. Send one SELECT (or WITH … SELECT); it only reads, and files are written with table_export. Quote a column of such a name: "update".`,
  )
}
