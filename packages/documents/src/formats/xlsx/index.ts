export { xlsxFormat } from './format.ts'
