export { findModel } from './models/find-model.ts'
export { firstUseNotice } from './models/first-use-notice.ts'
export { findServers, localServers, type ModelServer } from './models/model-servers.ts'
export {
  type KeptSetting,
  keptSettings,
  mergeValues,
  providersSetUp,
  readProviderValues,
  readSetting,
  type ValuesByProvider,
} from './models/provider-settings.ts'
export { demonstrations, providers } from './models/provider-table.ts'
export { type ModelConfig, resolveModel } from './models/resolve-model.ts'
export { createScripted, type ScriptedAnswer } from './models/scripted/model.ts'
export { parseArguments } from './port/arguments.ts'
export { LOOP_LIMITS, type LoopLimits } from './port/loop-limits.ts'
export * from './port/model.ts'
export * from './port/port.ts'
export * from './port/prompt-input.ts'
export { estimateTokens } from './port/tokens.ts'
export {
  ACTIVE_FILES,
  type ActivePrompt,
  composeActiveFiles,
  composePrompt,
  type Prompt,
} from './prompt/prompt.ts'
export { closingLine } from './state/closing.ts'
export { decide, type Next, type StopReason, type SyntheticAnswer } from './state/decide.ts'
export { fold, foldAll } from './state/fold.ts'
export * from './state/loop-state.ts'
export type { RunOutcome } from './steps/loop-context.ts'
export { createLoop, type Loop, runSession } from './steps/run.ts'
export { type RunRequest, startRun } from './steps/start-run.ts'
export { shownAddress } from './wire/endpoint-url.ts'
