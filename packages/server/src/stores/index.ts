export * from '../embedded/database/database.ts'
export { createSessionLog } from '../embedded/log/log-embedded.ts'
export * from '../log/log.ts'
export { parseJsonl, toJsonl } from '../log/log-jsonl.ts'
export { createMemoryBlobs } from '../memory/blobs-memory.ts'
export * from '../patches/patches.ts'
export { type BucketKeys, parseBucketAddress } from '../shared/blobs/bucket-address.ts'
export type { SharedPlace } from '../shared/open-shared.ts'
export * from '../store/blobs.ts'
export * from '../store/hosted.ts'
export * from '../store/settings.ts'
export * from '../store/sources.ts'
export {
  createStores,
  openMemoryStores,
  openSharedStores,
  openStores,
  type Stores,
  type StoresOptions,
} from './stores.ts'
