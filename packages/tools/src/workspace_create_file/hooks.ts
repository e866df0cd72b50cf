import type { CallIds, Envelope, ToolHooks } from '@filewright/protocol'
import { writtenFile } from '../written-file.ts'
import { workspaceCreateFile } from './tool.ts'

export const workspaceCreateFileHooks: ToolHooks<typeof workspaceCreateFile> = {
  /** TUL-004 §6. */
  events: {
    forwarded: ({ ids, input: { path, overwrite = false } }) => ({
      event: 'Tool.CreateFile.Forwarded',
      fields: {
        ...idFields(ids),
        ToolName: workspaceCreateFile.name,
        Path: path,
        Overwrite: overwrite,
      },
    }),
    executed: ({ ids, input: { path, overwrite = false } }, envelope) => ({
      event: 'Tool.CreateFile.Executed',
      fields: {
        ...idFields(ids),
        Path: envelope.path ?? path,
        Overwrite: overwrite,
        ...resultFields(envelope),
      },
    }),
    received: envelope => ({
      event: 'Tool.CreateFile.ResultReceived',
      fields: { ...idFields(envelope), ...resultFields(envelope) },
    }),
  },

  toEffects: ({ path }, told) =>
    writtenFile(told.path ?? path, told.overwritten === true ? 'changed' : 'created'),
}

function idFields({ sessionId, conversationId, turnId }: CallIds) {
  return { SessionId: sessionId, ConversationId: conversationId, TurnId: turnId }
}

function resultFields({ success, errorCode, sizeBytes = null, hash = null }: Envelope) {
  return { Success: success, ErrorCode: errorCode, SizeBytes: sizeBytes, Hash: hash }
}
