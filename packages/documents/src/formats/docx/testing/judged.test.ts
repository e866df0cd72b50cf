import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { hasCorpus, IS_FULL, readCorpusFile } from '../../../corpus.contract.ts'
import { convert, pagesOf, pageTexts } from '../../../libreoffice.contract.ts'
import { OpcPackage, readZip } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { validate } from '../../../validator.contract.ts'
import { DOCUMENTS, EDITED, edited, planEdit } from './corpus-edit.contract.ts'

const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-docx-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!IS_FULL || !hasCorpus)('edited documents, judged by others', () => {
  test.each(DOCUMENTS)(
    '$file: the repair lint and the Open XML SDK find nothing new',
    async file => {
      const bytes = readCorpusFile(file)
      const name = basename(file.file)
      const { bytes: after } = edited(bytes)
      expect(newRepairFaults(bytes, after)).toEqual([])
      const [known, now] = await validate([
        { name, bytes },
        { name, bytes: after },
      ])
      expect(now?.filter(error => !known?.includes(error))).toEqual([])
    },
  )

  test('LibreOffice opens what it opened before, and pages in front of the edit look the same', () => {
    const files = DOCUMENTS.map(file => {
      const bytes = readCorpusFile(file)
      const name = basename(file.file)
      return {
        name,
        bytes,
        after: edited(bytes, 'end').bytes,
        isEdited: planEdit(bytes, 'end').operations.length > 0,
      }
    })
    const pdfs = convert(
      files.flatMap(({ name, bytes, after }) => [
        { name: `before-${name}`, bytes: withoutClock(bytes) },
        { name: `after-${name}`, bytes: withoutClock(after) },
      ]),
      'pdf',
      folder,
    )
    const counts = { opened: 0, pages: 0 }
    const faults: string[] = []
    for (const [index, { name, isEdited }] of files.entries()) {
      const [before, after] = [pdfs[2 * index], pdfs[2 * index + 1]]
      if (!before || !isEdited) continue
      if (!after) {
        faults.push(`${name} does not open any more`)
        continue
      }
      counts.opened++
      // the edit may stand in capitals
      const words = EDITED.toLowerCase()
      const place = pageTexts(after).findIndex(text => text.toLowerCase().includes(words))
      const old = pagesOf(before, join(folder, `${index}-before`))
      const now = pagesOf(after, join(folder, `${index}-after`))
      for (let page = 0; page < place; page++) {
        counts.pages++
        if (old[page] !== now[page])
          faults.push(`${name}: page ${page + 1} of ${place + 1} looks different`)
      }
    }
    console.info(`LibreOffice: ${JSON.stringify(counts)}`)
    expect(faults).toEqual([])
    expect(counts.opened).toBeGreaterThan(files.length / 2)
    expect(counts.pages).toBeGreaterThan(300)
  }, 3_600_000)
})

/** A page that prints the second at which it is laid out never looks the same twice: such a field becomes its last result. */
function withoutClock(bytes: Uint8Array): Uint8Array {
  const own = unwrap(OpcPackage.open(bytes))
  const parts = unwrap(readZip(bytes)).entries.map(({ name }) => ({
    name,
    data: unwrap(own.part(name)),
  }))
  const stopped = parts.map(({ name, data }) => {
    const xml = Buffer.from(data).toString('latin1')
    const isText = name.startsWith('word/') && name.endsWith('.xml') && xml.search(CLOCK) >= 0
    return isText
      ? { name, data: Buffer.from(xml.replace(CLOCK, '$1QUOTE'), 'latin1') }
      : { name, data }
  })
  const isStopped = stopped.some(({ data }, index) => data !== parts[index]!.data)
  return isStopped ? buildZip(stopped) : bytes
}

const CLOCK = /(<w:instrText[^>]*>\s*)(?:TIME|DATE)(?=[\s<])/gi
