export { createClient, type FilewrightClient, type FilewrightOptions } from './client.ts'
export { FilewrightError } from './error.ts'
export type * from './routes.golden.ts'
