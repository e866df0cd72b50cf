import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellValue } from '@filewright/documents'
import { unwrap } from '@filewright/protocol'
import { Book } from '../../packages/documents/src/formats/xlsx/book/book.ts'
import { openWorkbook } from '../../packages/documents/src/formats/xlsx/book/workbook-part.ts'
import { cellKey, WHOLE_SHEET } from '../../packages/documents/src/formats/xlsx/cell/address.ts'
import { findStale } from '../../packages/documents/src/formats/xlsx/formula/dependants.ts'

/** Makes it compute every formula when it opens a file, whatever results are stored. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`

/** The workbooks as LibreOffice saves them after computing all their formulas; undefined where it does not open one. */
export function recalculate(books: readonly Uint8Array[]): readonly (Uint8Array | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-formulas-'))
  try {
    const home = join(folder, 'home')
    mkdirSync(join(home, 'user'), { recursive: true })
    writeFileSync(join(home, 'user/registrymodifications.xcu'), SETTINGS)
    const files = books.map((bytes, index) => {
      const file = join(folder, `${index}.xlsx`)
      writeFileSync(file, bytes)
      return file
    })
    const out = join(folder, 'out')
    const asked = ['--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', out]
    spawnSync('soffice', [`-env:UserInstallation=file://${home}`, ...asked, ...files], {
      timeout: 600_000,
      stdio: 'ignore',
    })
    return books.map((_, index) => read(join(out, `${index}.xlsx`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function read(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** The values of a workbook's cells, by sheet name and key. */
export function valuesOf(bytes: Uint8Array): Map<string, Map<number, CellValue>> {
  const book = new Book(unwrap(openWorkbook(bytes)), { findStale })
  const values = new Map<string, Map<number, CellValue>>()
  for (const sheet of book.sheets) {
    if (sheet.kind !== 'worksheet') continue
    const own = new Map<number, CellValue>()
    values.set(sheet.name, own)
    const cells = book.values.in(sheet, WHOLE_SHEET)
    if (!cells.ok) continue
    for (const { row, column, content } of cells.value.values()) {
      if (content.type === 'empty') continue
      own.set(
        cellKey(row, column),
        content.type === 'error' ? { error: content.value } : content.value,
      )
    }
  }
  return values
}
