import type { FoundChunk, IndexedFile, SearchIndex } from '../store/search-index.ts'
import { partsIn } from '../store/search-words.ts'
import type { Postgres, Queries } from './database/postgres.ts'

const CHUNK = `c.doc_path as "docPath", f.path, f.language, c.place, c.symbol,
  c.line_start as "lineStart", c.line_end as "lineEnd", c.text`
const FILE_OF_CHUNK = 'join search_files f on f.workspace = c.workspace and f.doc_path = c.doc_path'

/** A tsvector holds at most a megabyte; the words beyond are not found. */
const MOST_CHARACTERS = 200_000

/** Stems of English, names before parts of identifiers before texts, and rare words before common ones. */
export function createSharedSearchIndex(database: Postgres): SearchIndex {
  return {
    async files(workspaceId) {
      const rows = await database.repeat<IndexedFile>(
        `select doc_path as "docPath", path, sha256, size_bytes as "sizeBytes", modified
         from search_files where workspace = $1`,
        [workspaceId],
      )
      return new Map(rows.map(row => [row.docPath, row]))
    },
    async put(workspaceId, { docPath, path, sha256, sizeBytes, modified }, { language, chunks }) {
      const names = chunks.map(({ place }) => `${path} ${place}`)
      const texts = chunks.map(({ text }) => text.replaceAll('\0', ' '))
      await database.transaction(async queries => {
        await queries.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [
          `${workspaceId}/${docPath}`,
        ])
        await remove(queries, workspaceId, [docPath])
        await queries.run(
          `insert into search_files (workspace, doc_path, path, sha256, size_bytes, modified, language)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [workspaceId, docPath, path, sha256, sizeBytes, modified, language],
        )
        await queries.run(INSERT_CHUNKS, [
          workspaceId,
          docPath,
          chunks.map(({ place }) => place),
          chunks.map(({ symbol }) => symbol ?? null),
          chunks.map(({ lineStart }) => lineStart),
          chunks.map(({ lineEnd }) => lineEnd),
          texts,
          names.map(name => plain(`${name} ${partsIn(name)}`)),
          texts.map(text => plain(partsIn(text))),
          texts.map(plain),
        ])
      })
    },
    async touch(workspaceId, { docPath, path, modified }) {
      await database.repeat(
        'update search_files set path = $1, modified = $2 where workspace = $3 and doc_path = $4',
        [path, modified, workspaceId, docPath],
      )
    },
    remove: (workspaceId, docPaths) =>
      database.transaction(queries => remove(queries, workspaceId, docPaths)),
    async search(workspaceId, words, limit) {
      if (words.length === 0) return []
      const queries = words.map(plain).filter(word => word.trim() !== '')
      return database.repeat<FoundChunk>(SEARCH, [workspaceId, queries, limit])
    },
    async definitions(workspaceId, symbol, limit) {
      return database.repeat<FoundChunk>(
        `select ${CHUNK} from search_chunks c ${FILE_OF_CHUNK}
         where c.workspace = $1 and lower(c.symbol) = lower($2)
         order by c.doc_path, c.line_start limit $3`,
        [workspaceId, symbol.replaceAll('\0', ''), limit],
      )
    },
  }
}

async function remove(queries: Queries, workspaceId: string, docPaths: readonly string[]) {
  for (const table of ['search_chunks', 'search_files'])
    await queries.run(`delete from ${table} where workspace = $1 and doc_path = any($2::text[])`, [
      workspaceId,
      docPaths,
    ])
}

/** Words only: the parser of PostgreSQL would take a path or a host name for one word. */
function plain(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replace(/[^\p{L}\p{N}]+/gu, ' ')
}

const INSERT_CHUNKS = `
  insert into search_chunks (workspace, doc_path, place, symbol, line_start, line_end, text, words)
  select $1, $2, place, symbol, line_start, line_end, text,
    setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', parts), 'B')
      || setweight(to_tsvector('english', words), 'C')
  from unnest($3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[])
    as chunk (place, symbol, line_start, line_end, text, name, parts, words)`

/** A word counts the more, the fewer chunks have it. */
const SEARCH = `
  with asked as (
    select distinct plainto_tsquery('english', word) as query from unnest($2::text[]) as word),
  hits as (
    select c.id, asked.query, ts_rank('{0.1, 0.25, 0.4, 1.0}', c.words, asked.query) as rank
    from asked join search_chunks c on c.workspace = $1 and c.words @@ asked.query),
  weights as (
    select query, ln(1 + (select count(*) from search_chunks where workspace = $1)::float8 / count(*)) as weight
    from hits group by query),
  best as (
    select hits.id, sum(hits.rank * weights.weight) as rank from hits join weights using (query)
    group by hits.id order by rank desc, hits.id limit $3)
  select ${CHUNK} from best join search_chunks c on c.id = best.id ${FILE_OF_CHUNK}
  order by best.rank desc, c.id`
