export * from './chunks.ts'
export type * from './evaluation.ts'
export { fieldLines } from './fields/named-fields.ts'
export * from './format.ts'
export * from './format-facts.ts'
export {
  editedAs,
  FORMATS,
  factsOf,
  findFormat,
  formatByName,
  formatFor,
  LINE_TEXT,
  likelyFormat,
  loadFormat,
  readAs,
} from './known-formats.ts'
export { filesNamedBy } from './operation-inputs.ts'
export * from './operation-table.ts'
export { otherByName } from './other-files.ts'
export { type PictureHead, readPictureHead } from './pictures/picture-head.ts'
export type * from './table-query.ts'
export * from './withdrawal.ts'
