import type { Color } from './color.ts'
import type { LookEdit } from './look-edit.ts'

/** A cell style that spreadsheet programs know by number (ECMA-376 18.8.7). */
export interface BuiltIn {
  readonly id?: number
  readonly look: LookEdit
  readonly numFmtId?: number
}

const rgb = (color: string): Color => ({ rgb: color })
const theme = (index: number, percent = 0): Color => ({
  theme: index,
  tint: Math.floor((percent / 100) * 32_767) / 32_767,
})
const line = (style: string, color: Color) => ({ style, color })
const solid = (color: Color) => ({ pattern: 'solid', color })
const around = (style: string, color: Color) => {
  const own = line(style, color)
  return { left: own, right: own, top: own, bottom: own }
}

const ACCENTS: Readonly<Record<string, BuiltIn>> = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].flatMap(number => {
    const [first, color] = [29 + 4 * (number - 1), 3 + number]
    const white = theme(0)
    return [
      [`Accent${number}`, { id: first, look: { color: white, fill: solid(theme(color)) } }],
      ...[20, 40, 60].map((percent, index) => [
        `${percent}% - Accent${number}`,
        {
          id: first + 1 + index,
          look: {
            color: percent === 60 ? white : theme(1),
            fill: solid(theme(color, 100 - percent)),
          },
        },
      ]),
    ] as [string, BuiltIn][]
  }),
)

export const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  Normal: { id: 0, look: {} },
  Good: { id: 26, look: { color: rgb('006100'), fill: solid(rgb('C6EFCE')) } },
  Bad: { id: 27, look: { color: rgb('9C0006'), fill: solid(rgb('FFC7CE')) } },
  Neutral: { id: 28, look: { color: rgb('9C5700'), fill: solid(rgb('FFEB9C')) } },
  Title: { id: 15, look: { size: 18, color: theme(3) } },
  'Heading 1': {
    id: 16,
    look: { bold: true, size: 15, color: theme(3), border: { bottom: line('thick', theme(4)) } },
  },
  'Heading 2': {
    id: 17,
    look: {
      bold: true,
      size: 13,
      color: theme(3),
      border: { bottom: line('thick', theme(4, 50)) },
    },
  },
  'Heading 3': {
    id: 18,
    look: {
      bold: true,
      size: 11,
      color: theme(3),
      border: { bottom: line('medium', theme(4, 40)) },
    },
  },
  'Heading 4': { id: 19, look: { bold: true, size: 11, color: theme(3) } },
  Total: {
    id: 25,
    look: {
      bold: true,
      color: theme(1),
      border: { top: line('thin', theme(4)), bottom: line('double', theme(4)) },
    },
  },
  Input: {
    id: 20,
    look: {
      color: rgb('3F3F76'),
      fill: solid(rgb('FFCC99')),
      border: around('thin', rgb('7F7F7F')),
    },
  },
  Output: {
    id: 21,
    look: {
      bold: true,
      color: rgb('3F3F3F'),
      fill: solid(rgb('F2F2F2')),
      border: around('thin', rgb('3F3F3F')),
    },
  },
  Calculation: {
    id: 22,
    look: {
      bold: true,
      color: rgb('FA7D00'),
      fill: solid(rgb('F2F2F2')),
      border: around('thin', rgb('7F7F7F')),
    },
  },
  'Check Cell': {
    id: 23,
    look: {
      bold: true,
      color: theme(0),
      fill: solid(rgb('A5A5A5')),
      border: around('double', rgb('3F3F3F')),
    },
  },
  'Linked Cell': {
    id: 24,
    look: { color: rgb('FA7D00'), border: { bottom: line('double', rgb('FF8001')) } },
  },
  Note: { id: 10, look: { fill: solid(rgb('FFFFCC')), border: around('thin', rgb('B2B2B2')) } },
  'Warning Text': { id: 11, look: { color: rgb('FF0000') } },
  'Explanatory Text': { id: 53, look: { italic: true, color: rgb('7F7F7F') } },
  Comma: { id: 3, look: {}, numFmtId: 43 },
  Currency: { id: 4, look: {}, numFmtId: 44 },
  Percent: { id: 5, look: {}, numFmtId: 9 },
  'Comma [0]': { id: 6, look: {}, numFmtId: 41 },
  'Currency [0]': { id: 7, look: {}, numFmtId: 42 },
  ...ACCENTS,
}
