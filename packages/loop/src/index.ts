export { parseArguments } from './arguments.ts'
export { closingLine } from './closing.ts'
export { decide, type Next, type StopReason, type SyntheticAnswer } from './decide.ts'
export { fold, foldAll } from './fold.ts'
export type { RunOutcome } from './loop-context.ts'
export { LOOP_LIMITS, type LoopLimits } from './loop-limits.ts'
export * from './loop-state.ts'
export * from './model.ts'
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
export * from './port.ts'
export {
  ACTIVE_FILES,
  type ActivePrompt,
  composeActiveFiles,
  composePrompt,
  type Prompt,
} from './prompt.ts'
export * from './prompt-input.ts'
export { createLoop, type Loop, runSession } from './run.ts'
export { type RunRequest, startRun } from './start-run.ts'
export { estimateTokens } from './tokens.ts'
