export { refuseStrangeHost } from './http/guard.ts'
export { serveStatic } from './http/static-files.ts'
export { createLogger, type Logger } from './logger.ts'
export { createServer, LOOPBACK, type Server, type ServerOptions } from './server.ts'
export * from './store/index.ts'
export {
  claimOwnership,
  type Ownership,
  prepareStateFolder,
  readOrMakeToken,
} from './store/ownership.ts'
export { reachSocket } from './store/socket-place.ts'
export { newToken } from './tokens.ts'
