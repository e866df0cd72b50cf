import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { sourcesContract } from '../store/sources.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { openMemoryStores, openStores } from './stores.ts'

const root = tempFolder()
let count = 0

sourcesContract('sources in memory', () => openMemoryStores())
sourcesContract('sources on disk', async () => unwrap(await openStores(join(root, `${count++}`))))
