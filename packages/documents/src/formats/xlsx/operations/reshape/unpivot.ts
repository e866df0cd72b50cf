import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { writeBlock } from './block.ts'
import { columnsField, type Placed, type Source, sourceOf } from './source.ts'

/** Columns become rows: each value in a row of its own, with its header and the columns that stay. */
export function unpivot(editor: Editor, fields: Fields): OperationResult {
  const source = sourceOf(editor, gridField(editor.book, fields), fields)
  const { rows, at, box } = source
  const { kept, turned } = columnsOf(editor, source, fields)
  const [name, value] = namesOf(fields)
  const header = [...kept.map(column => at(box.top, column)), text(name), text(value)]
  let empty = 0
  const lines = rows.flatMap(row =>
    turned.flatMap(column => {
      const own = at(row, column)
      if (own.content.type === 'empty') {
        empty++
        return []
      }
      return [[...kept.map(each => at(row, each)), at(box.top, column), own]]
    }),
  )
  if (empty > 0) editor.warnings.push(`${counted(empty, 'empty cell')} made no row.`)
  return writeBlock(editor, source, [header, ...lines], fields)
}

function columnsOf(editor: Editor, source: Source, fields: Fields) {
  const kept = columnsField(editor, source, fields.keep)
  const named = columnsField(editor, source, fields.columns)
  const turned = named.length > 0 ? named : source.columns.filter(own => !kept.includes(own))
  if (kept.length === 0 && named.length === 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'unpivot needs keep, the columns that stay, such as ["Region"], or columns, those that become rows',
    )
  const stays = kept.length > 0 ? kept : source.columns.filter(own => !turned.includes(own))
  if (turned.length === 0 || turned.some(own => stays.includes(own)))
    throw new Refusal(
      'INVALID_ARGUMENT',
      'unpivot: keep and columns name different columns, and at least one becomes rows',
    )
  return { kept: stays, turned }
}

function namesOf({ names }: Fields): readonly [string, string] {
  if (names === undefined) return ['Name', 'Value']
  const [name, value, ...others] = Array.isArray(names) ? (names as unknown[]).map(String) : []
  if (name !== undefined && value !== undefined && others.length === 0) return [name, value]
  throw new Refusal(
    'INVALID_ARGUMENT',
    'unpivot: names are two headers, of the old headers and of the values, such as ["Month", "Net"]',
  )
}

function text(value: string): Placed {
  return { content: { type: 'text', value }, style: 0 }
}
