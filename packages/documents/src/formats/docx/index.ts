export { docxFormat } from './format.ts'
