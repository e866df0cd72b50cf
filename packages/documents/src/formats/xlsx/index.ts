export { diffWorkbooks } from './diff.ts'
export { footprintOf } from './footprint.ts'
export { xlsxFormat } from './format.ts'
