import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const START_MS = 120_000
const FILE_MS = 60_000

export interface RevisionJob {
  readonly bytes: Uint8Array
  /** `keep` opens and saves only: what LibreOffice itself makes of a file. */
  readonly verdict: 'accept' | 'reject' | 'keep'
}

/** The documents as LibreOffice saves them after its own "accept all" or "reject all"; undefined for one that it does not open. */
export function settleInLibreOffice(
  jobs: readonly RevisionJob[],
  folder: string,
): (Uint8Array | undefined)[] {
  mkdirSync(folder, { recursive: true })
  const lines = jobs.map(({ bytes, verdict }, index) => {
    const source = join(folder, `${index}.docx`)
    writeFileSync(source, bytes)
    return `${source}|${targetOf(folder, index)}|${verdict}`
  })
  const home = `-env:UserInstallation=file://${join(folder, 'home')}`
  // The first start fills the profile, and would overwrite a macro that is already there.
  spawnSync('soffice', [home, '--headless', '--terminate_after_init'], { timeout: START_MS })
  writeFileSync(join(folder, 'home/user/basic/Standard/Module1.xba'), MACRO)
  const run = (some: readonly string[]) => {
    const list = join(folder, 'list.txt')
    writeFileSync(list, some.join('\n'))
    spawnSync('soffice', [home, '--headless', `macro:///Standard.Module1.Settle(${list})`], {
      timeout: START_MS + FILE_MS * some.length,
    })
  }
  run(lines)
  // A file that ends the program takes the ones behind it along: each gets a start of its own.
  for (const [index, line] of lines.entries()) if (!existsSync(targetOf(folder, index))) run([line])
  return jobs.map((_, index) => {
    const target = targetOf(folder, index)
    return existsSync(target) ? readFileSync(target) : undefined
  })
}

function targetOf(folder: string, index: number): string {
  return join(folder, `${index}-settled.docx`)
}

const MACRO = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Settle(list As String)
  Dim line As String
  Open list For Input As #1
  Do While Not Eof(1)
    Line Input #1, line
    If line &lt;&gt; "" Then One(Split(line, "|"))
  Loop
  Close #1
End Sub

Sub One(job)
  On Error Goto Failed
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL(ConvertToURL(job(0)), "_blank", 0, hidden())
  command = ""
  If job(2) = "accept" Then command = ".uno:AcceptAllTrackedChanges"
  If job(2) = "reject" Then command = ".uno:RejectAllTrackedChanges"
  If command &lt;&gt; "" Then
    dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
    dispatcher.executeDispatch(document.CurrentController.Frame, command, "", 0, Array())
  End If
  Dim filter(0) As New com.sun.star.beans.PropertyValue
  filter(0).Name = "FilterName"
  filter(0).Value = "MS Word 2007 XML"
  document.storeToURL(ConvertToURL(job(1)), filter())
  document.close(True)
Failed:
End Sub
</script:module>
`
