type Id<Name extends string> = string & { readonly __brand: Name }

export type WorkspaceId = Id<'WorkspaceId'>
export type SessionId = Id<'SessionId'>
export type ConversationId = Id<'ConversationId'>
export type RunId = Id<'RunId'>
export type TurnId = Id<'TurnId'>
export type ToolCallId = Id<'ToolCallId'>
export type MessageId = Id<'MessageId'>
export type BatchId = Id<'BatchId'>
export type FilePatchId = Id<'FilePatchId'>
export type ChangeId = Id<'ChangeId'>
export type DraftId = Id<'DraftId'>
export type ChangeSetId = Id<'ChangeSetId'>
export type ApprovalId = Id<'ApprovalId'>
export type RuleId = Id<'RuleId'>
export type TokenId = Id<'TokenId'>

const PREFIXES = {
  workspace: 'ws',
  session: 'ses',
  conversation: 'con',
  run: 'run',
  turn: 'trn',
  toolCall: 'tc',
  message: 'msg',
  batch: 'bat',
  filePatch: 'fp',
  change: 'chg',
  draft: 'drf',
  changeSet: 'cs',
  approval: 'apr',
  rule: 'rul',
  token: 'tok',
} as const

interface IdOf {
  workspace: WorkspaceId
  session: SessionId
  conversation: ConversationId
  run: RunId
  turn: TurnId
  toolCall: ToolCallId
  message: MessageId
  batch: BatchId
  filePatch: FilePatchId
  change: ChangeId
  draft: DraftId
  changeSet: ChangeSetId
  approval: ApprovalId
  rule: RuleId
  token: TokenId
}

/** Makes ids from hex digits supplied by the caller, so that replay and tests can give their own. */
export type IdSource = <Name extends keyof IdOf>(name: Name) => IdOf[Name]

/**
 * 64 bits per id: short for a model, and free of collisions within one store. Tool calls may use rising digits: a log
 * grows call by call, and extending its index at the end is cheapest.
 */
export function createIdSource(
  randomHex: (digits: number) => string,
  callHex: (digits: number) => string = randomHex,
): IdSource {
  return name => `${PREFIXES[name]}_${(name === 'toolCall' ? callHex : randomHex)(16)}` as never
}
