export * from './engine.ts'
export { createInProcessEngine } from './in-process-engine.ts'
export { createProcessEngine, type ProcessEngineOptions, type Trouble } from './process-engine.ts'
export { createSplitEngine, type SplitEngineOptions } from './split-engine.ts'
