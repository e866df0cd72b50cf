import { expect, test } from 'vitest'
import { officeLockNames } from './office-lock.ts'

test('Word keeps a short name whole, drops one letter of seven and two of more', () => {
  expect(officeLockNames('letter.docx')).toEqual(['~$letter.docx'])
  expect(officeLockNames('a.doc')).toEqual(['~$a.doc'])
  expect(officeLockNames('invoice.docx')).toEqual(['~$invoice.docx', '~$nvoice.docx'])
  expect(officeLockNames('document.docx')).toEqual(['~$document.docx', '~$cument.docx'])
  expect(officeLockNames('Annual Report.RTF')).toEqual(['~$Annual Report.RTF', '~$nual Report.RTF'])
})

test('other programs keep the whole name', () => {
  expect(officeLockNames('quarterly.xlsx')).toEqual(['~$quarterly.xlsx'])
  expect(officeLockNames('presentation.pptx')).toEqual(['~$presentation.pptx'])
  expect(officeLockNames('readme')).toEqual(['~$readme'])
})
