import { attribute, child, textOf } from '../../../opc/index.ts'
import { oneAround } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'

/** Numbers of paper sizes (ECMA-376 18.3.1.63). */
export const PAPERS: Readonly<Record<string, string>> = {
  '1': 'Letter',
  '3': 'Tabloid',
  '5': 'Legal',
  '7': 'Executive',
  '8': 'A3',
  '9': 'A4',
  '11': 'A5',
  '12': 'B4',
  '13': 'B5',
}

/** How a sheet is printed, in the shape that `print_setup` takes as `print`; only what it says itself. */
export function printFields(book: Book, sheet: Sheet): Record<string, unknown> {
  const page = oneAround(sheet, 'pageSetup')?.root
  const fitting = child(oneAround(sheet, 'sheetPr')?.root, 'pageSetUpPr')
  const isFitted = isTrue(attribute(fitting, 'fitToPage'))
  const paper = attribute(page, 'paperSize')
  const orientation = attribute(page, 'orientation')
  const scale = attribute(page, 'scale')
  const numberOf = (name: string) => Number(attribute(page, name) ?? 1)
  return {
    ...namesOf(book, sheet),
    ...(orientation && orientation !== 'default' && { orientation }),
    ...(paper && { paper: PAPERS[paper] ?? Number(paper) }),
    ...(isFitted && { fit: { width: numberOf('fitToWidth'), height: numberOf('fitToHeight') } }),
    ...(!isFitted && scale && scale !== '100' && { scale: Number(scale) }),
    ...marginsOf(sheet),
    ...headersOf(sheet),
    ...optionsOf(sheet),
  }
}

/** `area A1:G40, landscape, fit 1 page wide`, or `nothing set`. */
export function describePrint(book: Book, sheet: Sheet): string {
  return printWords(printFields(book, sheet))
}

export function printWords(fields: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(fields).map(
    ([name, value]) =>
      `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return words.length === 0 ? 'nothing set' : words.join(', ')
}

function namesOf(book: Book, sheet: Sheet): Record<string, unknown> {
  const position = book.sheets.indexOf(sheet)
  const textNamed = (name: string) =>
    book.definedNames.find(own => own.localSheet === position && own.name === name)?.text
  const partsOf = (text: string | undefined) =>
    (text?.split(/,(?=(?:[^']*'[^']*')*[^']*$)/) ?? []).map(part =>
      part.slice(part.lastIndexOf('!') + 1).replaceAll('$', ''),
    )
  const area = partsOf(textNamed('_xlnm.Print_Area')).join(',')
  const titles = partsOf(textNamed('_xlnm.Print_Titles'))
  const rows = titles.find(part => /^\d+:\d+$/.test(part))
  const columns = titles.find(part => /^[A-Z]+:[A-Z]+$/.test(part))
  return {
    ...(area !== '' && { area }),
    ...(rows && { title_rows: rows }),
    ...(columns && { title_columns: columns }),
  }
}

function marginsOf(sheet: Sheet): Record<string, unknown> {
  const own = oneAround(sheet, 'pageMargins')?.root
  if (!own) return {}
  const margins = own.attributes.map(({ name, value }) => [name, Number(value)] as const)
  return { margins: Object.fromEntries(margins) }
}

function headersOf(sheet: Sheet): Record<string, unknown> {
  const document = oneAround(sheet, 'headerFooter')
  const read = (local: string) => {
    const own = child(document?.root, local)
    return document && own ? splitHeader(textOf(document, own)) : undefined
  }
  const [header, footer] = [read('oddHeader'), read('oddFooter')]
  return { ...(header && { header }), ...(footer && { footer }) }
}

/** `&LLeft&CPage &P` as its parts. */
function splitHeader(text: string): Record<string, string> {
  const parts: Record<string, string> = {}
  let side = 'center'
  for (const piece of text.split(/(&[LCR])/)) {
    if (piece === '&L' || piece === '&C' || piece === '&R')
      side = { '&L': 'left', '&C': 'center', '&R': 'right' }[piece]
    else if (piece !== '') parts[side] = `${parts[side] ?? ''}${piece}`
  }
  return parts
}

function optionsOf(sheet: Sheet): Record<string, unknown> {
  const own = oneAround(sheet, 'printOptions')?.root
  const has = (name: string) => isTrue(attribute(own, name))
  const [across, down] = [has('horizontalCentered'), has('verticalCentered')]
  return {
    ...((across || down) && { center: { horizontally: across, vertically: down } }),
    ...(has('gridLines') && { gridlines: true }),
    ...(has('headings') && { headings: true }),
  }
}
