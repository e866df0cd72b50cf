export {
  claimOwnership,
  type Ownership,
  prepareStateFolder,
  readOrMakeToken,
} from './embedded/owner/ownership.ts'
export { reachSocket } from './embedded/owner/socket-place.ts'
export { type Mount, PROBES } from './http/app.ts'
export { type Asker, refuseStrangeHost } from './http/guard.ts'
export { serveStatic } from './http/static-files.ts'
export type * from './outside/outside-tools.ts'
export { createServer, LOOPBACK, type Server, type ServerOptions } from './server.ts'
export type { HostedClients } from './sources/hosting.ts'
export * from './stores/index.ts'
export { createLogger, type Logger } from './words/logger.ts'
