import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { IN_MEMORY, openDatabase } from '../embedded/database/database.ts'
import { createSearchIndex } from '../embedded/search-index-embedded.ts'
import { createMemorySearchIndex } from '../memory/search-index-memory.ts'
import { searchIndexContract } from '../store/search-index.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const root = tempFolder()
let count = 0

searchIndexContract('the search index in memory', async () => createMemorySearchIndex())
searchIndexContract('the search index of SQLite in memory', async () =>
  createSearchIndex(unwrap(await openDatabase(IN_MEMORY))),
)
searchIndexContract('the search index of SQLite on disk', async () =>
  createSearchIndex(unwrap(await openDatabase(join(root, `${count++}`, 'filewright.db')))),
)
