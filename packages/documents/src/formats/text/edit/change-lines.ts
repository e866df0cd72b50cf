import { type ChangeId, type LoggedOperation, ok } from '@filewright/protocol'
import type { DocumentName } from '../../../format.ts'
import type { TextDocument } from '../decode/text.ts'
import { checkAgainstBase } from '../patch/check-line-changes.ts'
import { describePlace, type LineChange } from '../patch/line-changes.ts'
import { describeLineMap, type LineMap, toLineMap } from '../patch/line-map.ts'
import { parseLinePatch } from '../patch/parse-file-patch.ts'
import { planLineChanges, planSettings } from '../patch/plan-line-changes.ts'
import type { ShownChange } from '../write/history.ts'
import type { Edit } from '../write/splice.ts'
import type { OperationRunner } from './operation.ts'
import { showLines, showProperty } from './shown-change.ts'

/** Divisible by change; each file property is a change of its own. */
export const changeLines: OperationRunner = (history, logged, name) => {
  const { op: _, ...args } = logged.operation
  const parsed = parseLinePatch(args)
  if (!parsed.ok) return parsed
  const doc = history.current
  const patch = parsed.value.value
  const checked = checkAgainstBase(doc, patch)
  if (!checked.ok) return checked
  const lineMap = toLineMap(patch.changes, doc.lineCount)
  const planned = planLineChanges(doc, patch).map(({ index, edit }) => ({
    edit,
    shown: showChange(doc, patch.changes[index]!, index, lineMap, { logged, name }),
  }))
  const settings = planSettings(patch).map(edit => ({
    edit,
    shown: showSetting(doc, edit, { logged, name }),
  }))
  const count = planned.length + settings.length
  const counted = count === 1 ? '1 change' : `${count} changes`
  return ok({
    history: history.withEdits([...planned, ...settings]),
    result: {
      op: 'line_changes',
      message: `Applied ${counted}. Lines: ${describeLineMap(lineMap)}.`,
      lineMap,
    },
    warnings: [...parsed.value.warnings, ...checked.value.warnings],
  })
}

interface Named {
  readonly logged: LoggedOperation
  readonly name: DocumentName
}

function showChange(
  doc: TextDocument,
  change: LineChange,
  index: number,
  lineMap: LineMap,
  { logged, name }: Named,
): ShownChange {
  const isInsert = change.operation === 'insert'
  const first = isInsert ? change.afterLine + 1 : change.startLine
  const newStart = lineMap.find(run => !run.kept && run.oldStart === first)?.newStart ?? first
  return showLines(name, logged, {
    key: `change ${index} ${describePlace(change)}`,
    ...(change.changeId !== undefined && { id: change.changeId as ChangeId }),
    before: isInsert ? null : { firstLine: first, lines: doc.lines(first, change.endLine) },
    after: change.operation === 'delete' ? null : { firstLine: newStart, lines: change.newLines },
    ...(change.description !== undefined && { description: change.description }),
  })
}

function showSetting(doc: TextDocument, { settings }: Edit, { logged, name }: Named): ShownChange {
  if (settings?.eol)
    return showProperty(name, logged, { place: 'line ends', before: doc.eol, after: settings.eol })
  const [place, before, after]: [string, boolean, boolean] =
    settings?.bom !== undefined
      ? ['byte order mark', doc.bom, settings.bom]
      : ['final newline', doc.finalNewline, settings?.finalNewline ?? doc.finalNewline]
  return showProperty(name, logged, {
    place,
    before: before ? 'present' : 'absent',
    after: after ? 'present' : 'absent',
  })
}
