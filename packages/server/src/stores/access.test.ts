import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { accessContract } from '../store/access.contract.ts'
import { decisionsContract } from '../store/decisions.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { openMemoryStores, openStores } from './stores.ts'

const root = tempFolder()
let count = 0
const onDisk = async () => unwrap(await openStores(join(root, `${count++}`)))

accessContract('access in memory', async () => (await openMemoryStores()).access)
accessContract('access on disk', async () => (await onDisk()).access)
decisionsContract('decisions in memory', async () => (await openMemoryStores()).decisions)
decisionsContract('decisions on disk', async () => (await onDisk()).decisions)
