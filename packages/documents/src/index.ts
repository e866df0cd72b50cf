export * from './format.ts'
export { type FormatFacts, formatFor, loadFormat } from './formats/index.ts'
