// The one list: a provider is its folder and its line here. The line's name is the provider's id.
export { default as anthropic } from './anthropic/index.ts'
export { default as google } from './google/index.ts'
export { default as llamacpp } from './llamacpp/index.ts'
export { default as lmstudio } from './lmstudio/index.ts'
export { default as ollama } from './ollama/index.ts'
export { default as openai } from './openai/index.ts'
export { default as scripted } from './scripted/index.ts'
export { default as vllm } from './vllm/index.ts'
