import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFormat } from '@filewright/documents'
import { estimateTokens } from '@filewright/loop'
import { type DocPath, type RelativePath, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { QUESTIONS, type Question } from './questions.ts'

const CORPUS = join(
  import.meta.dirname,
  '../..',
  process.env.FILEWRIGHT_CORPUS ?? '../shared/corpus',
  'xlsx',
)
const GOLDEN = join(import.meta.dirname, 'golden')
const MOST_TOKENS = 6000
const MOST_BYTES = 46 * 1024

const hasCorpus = existsSync(CORPUS)
if (!hasCorpus)
  console.warn(`The corpus is not at ${CORPUS}: what a model sees of its workbooks is not tested.`)

describe.skipIf(!hasCorpus)('the map and two regions are enough for a model', () => {
  for (const [file, questions] of Object.entries(QUESTIONS))
    test(file, async () => {
      const { map, read } = await openWorkbook(file)
      const seen = questions.map(question => {
        const regions = question.reads.map(read)
        expect(question.reads.length).toBeLessThanOrEqual(2)
        expect(map, question.asks).toContain(`"${question.sheet}"`)
        expect(rowOf(regions, question), question.asks).toContain(question.shows)
        const tokens = estimateTokens([map, ...regions].join('\n'))
        expect(tokens, question.asks).toBeLessThanOrEqual(MOST_TOKENS)
        return [
          `? ${question.asks}`,
          ...regions,
          `→ ${question.sheet}!${question.cell}: ${question.shows} (${tokens} tokens with the map)`,
        ].join('\n')
      })
      expectGolden(`${file}.golden.txt`, `${map}\n\n${seen.join('\n\n')}\n`)
    })
})

async function openWorkbook(file: string) {
  const format = await loadFormat('xlsx')
  const name = { docPath: file.toLowerCase() as DocPath, path: file as RelativePath }
  const workbook = unwrap(format.open(readFileSync(join(CORPUS, file)), name))
  return {
    map: unwrap(workbook.map()).text,
    read: (region: Question['reads'][number]) =>
      unwrap(workbook.read(region, { maxBytes: MOST_BYTES })).text,
  }
}

/** The line of the answer's row in the answer's sheet: where a model would find it. */
function rowOf(regions: readonly string[], { sheet, cell }: Question): string {
  const row = /\d+$/.exec(cell)![0]
  const region = regions.find(text => text.startsWith(`sheet "${sheet}"`)) ?? ''
  return region.split('\n').find(line => line.startsWith(`${row}|`)) ?? ''
}

/** Files a person can read; `UPDATE_GOLDEN=1` writes them anew. */
function expectGolden(name: string, text: string) {
  const path = join(GOLDEN, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(GOLDEN, { recursive: true })
    writeFileSync(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}
