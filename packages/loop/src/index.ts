export { describeFacts } from './models/describe-facts.ts'
export { findModel } from './models/find-model.ts'
export { firstUseNotice } from './models/first-use-notice.ts'
export { knownFacts } from './models/known-model.ts'
export { findServers, localServers } from './models/model-servers.ts'
export {
  type KeptSetting,
  keptSettings,
  mergeValues,
  providersSetUp,
  readProviderValues,
  readSetting,
  type ValuesByProvider,
} from './models/provider-settings.ts'
export { demonstrations, findProvider, providers } from './models/provider-table.ts'
export { resolveModel } from './models/resolve-model.ts'
export { createScripted, type ScriptedAnswer } from './models/scripted/model.ts'
export type { LoopLimits } from './port/loop-limits.ts'
export {
  type Arrival,
  type LoopPort,
  type OfferedTool,
  type Reconciled,
  RUN_LEFT,
  RunCut,
} from './port/loop-port.ts'
export type { FactsByModel, Model, ModelFacts, ModelRequest } from './port/model.ts'
export type { HouseRules, PromptFiles, PromptInput } from './port/prompt-input.ts'
export { BYTES_PER_TOKEN, estimateTokens } from './port/tokens.ts'
export { ACTIVE_FILES } from './prompt/prompt.ts'
export { toFailureReceipt, toReceipt } from './prompt/receipts.ts'
export type { RunOutcome } from './steps/loop-context.ts'
export { createLoop, type Loop } from './steps/run.ts'
export { type PersonMessage, type RunRequest, startRun } from './steps/start-run.ts'
export { shownAddress } from './wire/endpoint-url.ts'
export { createEventReader } from './wire/server-sent-events.ts'
