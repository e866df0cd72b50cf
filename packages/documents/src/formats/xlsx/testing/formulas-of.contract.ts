import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS, corpusFiles, hasCorpus } from '../../../corpus.contract.ts'
import { Sheet } from '../book/sheet.ts'
import { openWorkbook, type WorkbookPart } from '../book/workbook-part.ts'
import { WriteCount } from '../book/write-count.ts'
import { CellScan } from '../cell/cell-scan.ts'

/** Every different formula of a workbook's cells, shared ones written out, and of its names. */
export function formulasOf(book: WorkbookPart): Set<string> {
  const formulas = new Set(book.definedNames.map(({ text }) => text))
  for (const [id, entry] of book.sheets.entries()) {
    if (entry.kind === 'chartsheet' || entry.part === '') continue
    const sheet = new Sheet(book.package, new WriteCount(), {
      id,
      name: entry.name,
      visibility: 'visible',
      kind: entry.kind,
      source: { from: 'part', part: entry.part },
    })
    const xml = sheet.xml()
    if (!xml.ok) continue
    const cell = new CellScan()
    for (let index = 0; index < xml.value.rows.count; index++)
      xml.value.scanRow(index, cell, own => {
        const formula = sheet.formulaOf(xml.value, own)
        if (formula?.kind === 'normal') formulas.add(formula.text)
      })
  }
  return formulas
}

/** The formulas of every workbook of the corpus and of those that Excel computed; none without the corpus. */
export function allFormulas(): Set<string> {
  if (!hasCorpus) return new Set()
  const truth = join(CORPUS, 'excel-truth')
  const paths = [
    ...corpusFiles(({ category }) => category === 'xlsx').map(({ file }) => file),
    ...readdirSync(truth)
      .filter(name => name.endsWith('.xlsx'))
      .map(name => join('excel-truth', name)),
  ]
  return new Set(
    paths.flatMap(path => {
      const book = openWorkbook(readFileSync(join(CORPUS, path)))
      return book.ok ? [...formulasOf(book.value)] : []
    }),
  )
}
