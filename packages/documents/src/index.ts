export * from './format.ts'
export * from './format-facts.ts'
export {
  FORMATS,
  factsOf,
  findFormat,
  formatByName,
  formatFor,
  LINE_TEXT,
  loadFormat,
} from './known-formats.ts'
export * from './operation-table.ts'
