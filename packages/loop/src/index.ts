export {
  firstUseNotice,
  type HostedProvider,
  type ModelConfig,
  resolveModel,
  type Script,
} from './models/discover.ts'
export { shownAddress } from './models/endpoint-url.ts'
export { findLocalModel } from './models/local-model.ts'
export {
  type FoundServer,
  findLocalServers,
  LOCAL_SERVERS,
  type LocalServer,
} from './models/local-servers.ts'
export {
  createOpenAiCompatible,
  type OpenAiCompatibleOptions,
} from './models/openai-compatible/model.ts'
export { createScripted, type ScriptedOptions } from './models/scripted/model.ts'
export { parseScript, type ScriptedAnswer } from './models/scripted/script.ts'
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
