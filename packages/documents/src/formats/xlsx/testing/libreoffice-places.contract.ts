import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Box } from '@filewright/protocol'
import type { PlaceStep } from '../places/place-step.ts'

const START_MS = 120_000
const JOB_MS = 30_000

export interface PlaceJob {
  readonly bytes: Uint8Array
  readonly steps: readonly PlaceStep[]
}

/** The workbooks as LibreOffice saves them after it moved the cells itself; undefined for one that it does not open. */
export function moveInLibreOffice(
  jobs: readonly PlaceJob[],
  folder: string,
): (Uint8Array | undefined)[] {
  mkdirSync(folder, { recursive: true })
  const target = (index: number) => join(folder, `${index}-moved.xlsx`)
  const lines = jobs.map(({ bytes, steps }, index) => {
    const source = join(folder, `${index}.xlsx`)
    writeFileSync(source, bytes)
    return [source, target(index), ...steps.flatMap(commandsOf)].join('|')
  })
  const home = `-env:UserInstallation=file://${join(folder, 'home')}`
  // The first start fills the profile, and would overwrite a macro that is already there.
  spawnSync('soffice', [home, '--headless', '--terminate_after_init'], { timeout: START_MS })
  writeFileSync(join(folder, 'home/user/basic/Standard/Module1.xba'), MACRO)
  const list = join(folder, 'list.txt')
  writeFileSync(list, lines.join('\n'))
  spawnSync('soffice', [home, '--headless', `macro:///Standard.Module1.Move(${list})`], {
    timeout: START_MS + JOB_MS * jobs.length,
  })
  return jobs.map((_, index) =>
    existsSync(target(index)) ? readFileSync(target(index)) : undefined,
  )
}

/** Several runs of deleted lines are deleted from the last one on. */
function commandsOf(step: PlaceStep): string[] {
  if (step.kind === 'block') {
    const { row, column } = step.to
    return [['move', step.sheet, ...corners(step.from), column - 1, row - 1].join(',')]
  }
  if (step.kind !== 'lines') return []
  const { axis, kind, runs, band } = step.lines
  const ordered = kind === 'delete' ? [...runs].reverse() : runs
  return ordered.map(({ at, count }) => {
    const name = `${kind} ${axis}`
    if (!band) return [name, step.sheet, at - 1, count].join(',')
    const [low, high] = band
    const box =
      axis === 'row'
        ? { top: at, bottom: at + count - 1, left: low, right: high }
        : { left: at, right: at + count - 1, top: low, bottom: high }
    return [`${name} cells`, step.sheet, ...corners(box)].join(',')
  })
}

/** Counted from 0, columns first, as LibreOffice does. */
function corners({ top, left, bottom, right }: Box): number[] {
  return [left - 1, top - 1, right - 1, bottom - 1]
}

const MACRO = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Move(list As String)
  Dim line As String
  Open list For Input As #1
  Do While Not Eof(1)
    Line Input #1, line
    If line &lt;&gt; "" Then One(Split(line, "|"))
  Loop
  Close #1
  StarDesktop.terminate()
End Sub

Sub One(job)
  On Error Goto Failed
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL(ConvertToURL(job(0)), "_blank", 0, hidden())
  For index = 2 To UBound(job)
    DoStep(document, Split(job(index), ","))
  Next index
  Dim filter(0) As New com.sun.star.beans.PropertyValue
  filter(0).Name = "FilterName"
  filter(0).Value = "Calc MS Excel 2007 XML"
  document.storeToURL(ConvertToURL(job(1)), filter())
  document.close(True)
Failed:
End Sub

Sub DoStep(document, given)
  sheet = document.Sheets.getByName(given(1))
  If given(0) = "insert row" Then sheet.Rows.insertByIndex(CLng(given(2)), CLng(given(3)))
  If given(0) = "delete row" Then sheet.Rows.removeByIndex(CLng(given(2)), CLng(given(3)))
  If given(0) = "insert column" Then sheet.Columns.insertByIndex(CLng(given(2)), CLng(given(3)))
  If given(0) = "delete column" Then sheet.Columns.removeByIndex(CLng(given(2)), CLng(given(3)))
  If UBound(given) &lt; 5 Then Exit Sub
  area = sheet.getCellRangeByPosition(CLng(given(2)), CLng(given(3)), CLng(given(4)), CLng(given(5))).RangeAddress
  If given(0) = "insert row cells" Then sheet.insertCells(area, com.sun.star.sheet.CellInsertMode.DOWN)
  If given(0) = "insert column cells" Then sheet.insertCells(area, com.sun.star.sheet.CellInsertMode.RIGHT)
  If given(0) = "delete row cells" Then sheet.removeRange(area, com.sun.star.sheet.CellDeleteMode.UP)
  If given(0) = "delete column cells" Then sheet.removeRange(area, com.sun.star.sheet.CellDeleteMode.LEFT)
  If given(0) = "move" Then sheet.moveRange(sheet.getCellByPosition(CLng(given(6)), CLng(given(7))).CellAddress, area)
End Sub
</script:module>
`
