import { counted } from '@filewright/protocol'
import { chartLines } from '../../../../charts/chart.ts'
import { planChart, writeChart } from '../../../../charts/write-chart.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { chartOf } from '../../story/chart-of.ts'
import { findPicture } from './find-picture.ts'

/** Gives a chart new numbers: in the copy that it shows, and in the workbook that it opens. */
export function setChart(editor: DocumentEditor, args: DocumentArgs<'set_chart'>) {
  const { paragraph, node, place } = findPicture(editor, args, 'chart')
  const own = editor.manuscript.package
  const find = () => chartOf(own, paragraph.story, node)
  const chart = find()
  if (!chart)
    throw new Refusal('CONFLICT', `the chart in ${paragraph.id} is of a kind that cannot be edited`)
  const plan = planChart(chart, args)
  editor.untracked('new numbers of a chart')
  const side = () => ({ text: chartLines(find() ?? chart).join('\n') })
  // the paragraph does not say what its chart shows: a draft that follows its file must know
  const was = editor.resolve('data', () => side())
  editor.change(
    { kind: 'structure', place, keys: [paragraph.id], before: side(), after: side, atomic: true },
    () => {
      if (side().text !== was.text)
        throw new Refusal('CONFLICT', `the chart in ${paragraph.id} shows other numbers now`)
      const warning = writeChart(own, chart, plan)
      if (warning !== undefined) editor.warn(warning)
      return true
    },
  )
  return {
    op: 'set_chart',
    message: `Set ${counted(plan.length, 'series', 'series')} of the chart in ${paragraph.id}.`,
  }
}
