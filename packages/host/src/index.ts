export * from './exit/exit.ts'
export { note } from './exit/note.ts'
export { type CallOptions, type Connection, connect } from './face/connection.ts'
export * from './face/port-face.ts'
export * from './face/scan-question.ts'
export * from './face/session.ts'
export { untilStopped } from './face/until-stopped.ts'
export * from './face/watch-run.ts'
export * from './lines/call-order.ts'
export { createJsonLine } from './lines/json-line.ts'
export { createPipeWriter } from './lines/pipe-writer.ts'
export { readLines } from './lines/read-lines.ts'
export { createWakefulness } from './lines/wakefulness.ts'
export * from './models/models.ts'
export { engineCommand } from './owner/engine-command.ts'
export {
  type Host,
  type HostOptions,
  type OpenedWorkspace,
  realFolder,
  startHost,
} from './owner/host.ts'
export { type Fetch, type Listening, listen } from './owner/local-socket.ts'
export { findOwnFolders } from './owner/own-folders.ts'
export { type Config, readConfig } from './settings/config.ts'
export * from './settings/settings-file.ts'
export { version } from './settings/version.ts'
