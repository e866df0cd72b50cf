import { DRAW_TASK, type DrawnPart, factsOf, formatByName } from '@filewright/documents'
import { createInProcessEngine } from '@filewright/engine'
import { type DocPath, ok, type RelativePath, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
} from '../../packages/documents/src/corpus.contract.ts'
import { NO_DRAWING, startOffice } from './own-office.ts'

const EACH_KIND = 5
const canDraw = NO_DRAWING === undefined && IS_FULL && hasCorpus
const why = NO_DRAWING ?? (IS_FULL ? 'skipped: there is no corpus' : 'of the full tier')

/** Spread over the files of a folder. */
function someOf(folder: string): CorpusFile[] {
  const all = corpusFiles(({ file }) => new RegExp(`^${folder}/.*\\.${folder}$`).test(file))
  return all.filter((_, index) => index % Math.ceil(all.length / EACH_KIND) === 0)
}

test.skipIf(!canDraw)(
  `real workbooks, documents and decks come as pictures${canDraw ? '' : ` (${why})`}`,
  { timeout: 3_600_000 },
  async () => {
    const office = startOffice()
    const engine = createInProcessEngine()
    const undrawn: string[] = []
    const files = ['xlsx', 'docx', 'pptx'].flatMap(someOf)
    for (const file of files) {
      const name = { docPath: file.file.toLowerCase() as DocPath, path: file.file as RelativePath }
      const { id: format, drawing } = formatByName(name.docPath)!
      const bytes = readCorpusFile(file)
      const request = { format, task: DRAW_TASK, path: name.path, what: 'draw', files: [bytes] }
      const chosen = drawing?.choosesPart
        ? await engine.task({ ...request, input: { path: name.path, region: {} } })
        : ok({})
      const part = (chosen.ok ? chosen.value : {}) as Partial<DrawnPart>
      const ending = name.docPath.slice(name.docPath.lastIndexOf('.'))
      const pdf = await office.toPdf({ path: name.path, ending, bytes: part.bytes ?? bytes })
      if (!chosen.ok || !pdf.ok) {
        undrawn.push(`${file.file}: ${chosen.ok ? '' : chosen.failure.message}`)
        continue
      }
      const ref = {
        ...{ key: file.file, state: file.file, name, format: factsOf('pdf').id },
        load: async () => ok({ bytes: pdf.value, log: [] }),
      }
      const asked = { pages: '1', crop: [0, 0, 1, 1] }
      const { pictures = [] } = unwrap(await engine.read(ref, asked, { maxBytes: 10_000 }))
      expect(pictures[0]?.bytes.length, file.file).toBeGreaterThan(1_000)
      engine.forget(file.file)
    }
    expect(files.length).toBeGreaterThanOrEqual(12)
    expect(undrawn).toEqual([])
  },
)
