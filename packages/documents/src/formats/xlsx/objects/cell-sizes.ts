import { attribute } from '../../../opc/index.ts'
import { elementsOf, treeOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'
import type { CellSizes } from './drawing.ts'

const DIGIT = 7 // pixels of a digit in the usual font
const USUAL_WIDTH = 8.43 // characters
const USUAL_HEIGHT = 15 // points

/** How wide and high the lines of a sheet are, near enough to keep the size of what lies over them. */
export function cellSizes(sheet: Sheet): CellSizes {
  const opened = sheet.xml()
  if (!opened.ok) return { width: () => 64, height: () => 20 }
  const xml = opened.value
  const format = treeOf(xml, 'sheetFormatPr')
  const width = Number(
    attribute(format, 'defaultColWidth') ?? attribute(format, 'baseColWidth') ?? USUAL_WIDTH,
  )
  const height = Number(attribute(format, 'defaultRowHeight') ?? USUAL_HEIGHT)
  const columns = elementsOf(xml, 'cols', 'col').map(own => ({
    first: Number(attribute(own, 'min')),
    last: Number(attribute(own, 'max')),
    width: isTrue(attribute(own, 'hidden')) ? 0 : Number(attribute(own, 'width') ?? width),
  }))
  return {
    width: column => {
      const own = columns.find(({ first, last }) => column >= first && column <= last)
      const wide = own?.width ?? width
      return wide === 0 ? 0 : Math.trunc(wide * DIGIT + 5)
    },
    height: row => {
      const index = xml.findRow(row)
      if (xml.rows.numbers[index] !== row) return (height * 4) / 3
      const start = xml.rows.starts[index]!
      const tag = Buffer.from(xml.bytes.subarray(start, xml.bytes.indexOf(62, start))).toString(
        'latin1',
      )
      if (/\shidden\s*=\s*["'](?:1|true)/.test(tag)) return 0
      const own = Number(/\sht\s*=\s*["']([\d.]+)/.exec(tag)?.[1] ?? height)
      return (own * 4) / 3
    },
  }
}
