import { z } from 'zod'
import type { SheetGrid } from '../../words/grid.ts'
import { words } from './words.ts'

/** A region of a sheet, for a page to draw. */
export function gridSchema(): z.ZodType<SheetGrid> {
  const { text, texts, count } = words()
  const box = z.object({ top: count, left: count, bottom: count, right: count })
  const runs = z.array(
    z.object({
      from: count,
      to: count,
      size: z.number(),
      hidden: z.literal(true).optional(),
      level: count.optional(),
    }),
  )
  const look = lookSchema()
  return z.object({
    sheet: text,
    sheets: z.array(z.object({ name: text, visibility: text })),
    box,
    used: box.nullable(),
    columns: runs,
    rows: runs,
    defaults: z.object({ width: z.number(), height: z.number() }),
    frozen: z.object({ rows: count, columns: count }).nullable(),
    gridLines: z.boolean(),
    rightToLeft: z.boolean(),
    merges: z.array(box),
    looks: z.array(look),
    cells: z.array(cellSchema(look)),
    undrawn: texts,
  })
}

function cellSchema(look: ReturnType<typeof lookSchema>) {
  const { text, count } = words()
  return z.object({
    row: count,
    column: count,
    text,
    type: z.enum(['number', 'date', 'text', 'boolean', 'error', 'empty']),
    look: count.optional(),
    formula: text.optional(),
    isStale: z.literal(true).optional(),
    over: look.optional(),
    bar: z.object({ color: text, from: z.number(), to: z.number() }).optional(),
    icon: z.object({ set: text, index: count, of: count }).optional(),
    hidesText: z.literal(true).optional(),
  })
}

function lookSchema() {
  const { text, optional } = words()
  const flag = z.boolean().optional()
  return z.object({
    font: optional,
    size: z.number().optional(),
    bold: flag,
    italic: flag,
    strike: flag,
    underline: z.enum(['single', 'double']).optional(),
    script: z.enum(['superscript', 'subscript']).optional(),
    color: optional,
    fill: optional,
    pattern: z.object({ name: text, back: text }).optional(),
    border: z.record(text, z.object({ style: text, color: text })).optional(),
    align: optional,
    valign: optional,
    wrap: flag,
    shrink: flag,
    indent: z.number().optional(),
    rotate: z.union([z.number(), z.literal('stacked')]).optional(),
  })
}
