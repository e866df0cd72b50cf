export { type Client, type ClientOptions, createClient } from './client.ts'
export { FilewrightError } from './error.ts'
export type * from './routes.golden.ts'
