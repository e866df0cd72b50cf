import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { openMemoryStores, openStores } from '../stores/stores.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { sourcesContract } from './sources.contract.ts'

const root = tempFolder()
let count = 0

sourcesContract('sources in memory', () => openMemoryStores())
sourcesContract('sources on disk', async () => unwrap(await openStores(join(root, `${count++}`))))
