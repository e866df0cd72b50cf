import type { FoundChunk, IndexedFile, SearchIndex } from '../store/search-index.ts'
import { partsIn } from '../store/search-words.ts'
import type { Database } from './database/database.ts'

const CHUNK = `c.doc_path as docPath, f.path, f.language, c.place, c.symbol,
  c.line_start as lineStart, c.line_end as lineEnd, t.text`

/** FTS5 with stems, the parts of identifiers in a column of their own, and names that weigh more than texts. */
export function createSearchIndex(database: Database): SearchIndex {
  function removeOne(workspaceId: string, docPath: string): void {
    const own = [workspaceId, docPath] as const
    database.run(
      'delete from search_text where rowid in (select id from search_chunks where workspace = ? and doc_path = ?)',
      ...own,
    )
    database.run('delete from search_chunks where workspace = ? and doc_path = ?', ...own)
    database.run('delete from search_files where workspace = ? and doc_path = ?', ...own)
  }

  return {
    async files(workspaceId) {
      const rows = database.all<IndexedFile>(
        `select doc_path as docPath, path, sha256, size_bytes as sizeBytes, modified
         from search_files where workspace = ?`,
        workspaceId,
      )
      return new Map(rows.map(row => [row.docPath, row]))
    },
    async put(workspaceId, { docPath, path, sha256, sizeBytes, modified }, { language, chunks }) {
      await database.write(() => {
        removeOne(workspaceId, docPath)
        database.run(
          'insert into search_files (workspace, doc_path, path, sha256, size_bytes, modified, language) values (?, ?, ?, ?, ?, ?, ?)',
          ...[workspaceId, docPath, path, sha256, sizeBytes, modified, language],
        )
        for (const { place, symbol, lineStart, lineEnd, text } of chunks) {
          const { lastRowId } = database.run(
            'insert into search_chunks (workspace, doc_path, place, symbol, line_start, line_end) values (?, ?, ?, ?, ?, ?)',
            ...[workspaceId, docPath, place, symbol ?? null, lineStart, lineEnd],
          )
          const name = `${path} ${place}`
          database.run(
            'insert into search_text (rowid, name, text, parts) values (?, ?, ?, ?)',
            ...[lastRowId, `${name} ${partsIn(name)}`, text, partsIn(text)],
          )
        }
      }, 'written')
    },
    async touch(workspaceId, { docPath, path, modified }) {
      await database.write(
        () =>
          database.run(
            'update search_files set path = ?, modified = ? where workspace = ? and doc_path = ?',
            ...[path, modified, workspaceId, docPath],
          ),
        'written',
      )
    },
    async remove(workspaceId, docPaths) {
      await database.write(() => {
        for (const docPath of docPaths) removeOne(workspaceId, docPath)
      }, 'written')
    },
    async search(workspaceId, words, limit) {
      if (words.length === 0) return []
      const match = words.map(word => `"${word.replaceAll('"', '')}"`).join(' OR ')
      return database.all<FoundChunk>(
        `select ${CHUNK} from search_text t
         join search_chunks c on c.id = t.rowid
         join search_files f on f.workspace = c.workspace and f.doc_path = c.doc_path
         where search_text match ? and c.workspace = ?
         order by bm25(search_text, 4.0, 1.0, 1.5), c.id limit ?`,
        ...[match, workspaceId, limit],
      )
    },
    async definitions(workspaceId, symbol, limit) {
      return database.all<FoundChunk>(
        `select ${CHUNK} from search_chunks c
         join search_text t on t.rowid = c.id
         join search_files f on f.workspace = c.workspace and f.doc_path = c.doc_path
         where c.workspace = ? and c.symbol = ? collate nocase
         order by c.doc_path, c.line_start limit ?`,
        ...[workspaceId, symbol, limit],
      )
    },
  }
}
