import { counted } from '@filewright/protocol'
import { chartLines } from '../../../../charts/chart.ts'
import { planChart, writeChart } from '../../../../charts/write-chart.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { findShape, slideOf } from '../../edit/fields.ts'
import { chartOf } from '../../slide/chart.ts'
import type { Slide } from '../../slide/deck.ts'
import type { Shape } from '../../slide/page.ts'

/** Gives a chart new numbers: in the copy that it shows, and in the workbook that it opens. */
export function setChart(editor: DeckEditor, args: DeckArgs<'set_chart'>) {
  const slide = slideOf(editor, args)
  const ref = editor.resolve('chart', () => `@${slide.key}/${chosen(slide, args.chart).key}`)
  const shape = editor.shape(ref)
  const chart = chartOf(editor.deck, shape)
  if (!chart)
    throw new Refusal(
      'CONFLICT',
      `${shape.key} (${shape.name}) is no chart whose numbers can be set`,
    )
  const plan = planChart(chart, args)
  const side = () => {
    const now = chartOf(editor.deck, editor.shape(ref))
    return { text: now ? chartLines(now).join('\n') : '' }
  }
  editor.change(
    {
      kind: 'chart',
      place: editor.deck.placeOf(ref),
      keys: [`${ref} data`],
      reads: [ref, `@${slide.key}`],
      before: side(),
      after: side,
      atomic: true,
    },
    () => {
      const warning = writeChart(editor.deck.package, chart, plan)
      if (warning !== undefined) editor.warn(warning)
      return true
    },
  )
  return {
    op: 'set_chart',
    message: `Set ${counted(plan.length, 'series', 'series')} of ${shape.name} on slide ${slide.index}.`,
  }
}

function chosen(slide: Slide, wanted: string | number | undefined): Shape {
  if (wanted !== undefined) return findShape(slide, wanted)
  const charts = slide.page.shapes.filter(({ kind }) => kind === 'chart')
  if (charts[0] && charts.length === 1) return charts[0]
  throw wrongArgument(
    charts.length === 0
      ? `slide ${slide.index} has no chart; add_chart makes one`
      : `slide ${slide.index} has ${charts.length} charts; name one with chart: ${charts.map(({ key, name }) => `${key} (${name})`).join(', ')}`,
  )
}
