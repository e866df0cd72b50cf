import { join } from 'node:path'
import { type Region, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile } from '../../../corpus.contract.ts'
import { xlsxFormat } from '../format.ts'
import { NAME, shown } from './zoo.contract.ts'

/** A question about a workbook, the cell that answers it, and what that cell shows: written down by a person. */
interface Question {
  readonly ask: string
  readonly sheet: string
  readonly cell: string
  readonly answer: string
}

interface Story {
  readonly file: string
  /** The reads that the map suggests; two at most. */
  readonly reads: readonly Region[]
  readonly questions: readonly Question[]
}

const q = (ask: string, sheet: string, cell: string, answer: string): Question => ({
  ask,
  sheet,
  cell,
  answer,
})

const STORIES: readonly Story[] = [
  {
    file: 'xlsx/013-simple-monthly-budget.xlsx',
    reads: [{ range: 'B3:C23' }, { range: 'E3:H9' }],
    questions: [
      q('What do groceries cost?', 'Simple Monthly Budget', 'C15', '$500.00'),
      q(
        'How is the balance computed?',
        'Simple Monthly Budget',
        'G9',
        '$1,414 {=TotalMonthlyIncome-TotalMonthlyExpenses}',
      ),
      q(
        'Which share of the income is spent?',
        'Simple Monthly Budget',
        'H4',
        '62% {0.622933333333333} {=TotalMonthlyExpenses/TotalMonthlyIncome}',
      ),
    ],
  },
  {
    file: 'xlsx/026-input.xlsx',
    reads: [
      { sheet: 'Sheet1', range: 'B2:H30' },
      { sheet: 'Pivot2', range: 'B4:E8' },
    ],
    questions: [
      q('Who placed order 1011?', 'Sheet1', 'B11', 'The Depth Charge'),
      q('When was order 1012 shipped?', 'Sheet1', 'E12', '05/20/88 {1988-05-20}'),
      q('What did order 1008 come to, to the cent?', 'Sheet1', 'F8', '1,450 {1449.5}'),
    ],
  },
  {
    file: 'xlsx/055-AutoFilter.xlsx',
    reads: [
      { sheet: 'No Filter', range: 'A1:E22' },
      { sheet: 'NE', range: 'A1:E22' },
    ],
    questions: [
      q('Which library reads XLSB?', 'No Filter', 'C4', 'js-xlsx'),
      q('What is noted of CSV?', 'No Filter', 'D9', 'Comma-Separated'),
      q('How important is DIF?', 'No Filter', 'E14', '3'),
    ],
  },
  {
    file: 'xlsx/016-sheet_visibility_strict.xlsx',
    reads: [
      { sheet: 'Hidden', range: 'A1:F2' },
      { sheet: 'VeryHidden', range: 'A1:J2' },
    ],
    questions: [
      q('What is the code of the n on the hidden sheet?', 'Hidden', 'F2', '110 {=CODE(F1)}'),
      q('Which letter is in the fourth column of the very hidden sheet?', 'VeryHidden', 'D1', 'y'),
      q('What is the code of its V?', 'VeryHidden', 'A2', '86 {=CODE(A1)}'),
    ],
  },
  {
    file: 'xlsx/008-56644.xlsx',
    reads: [
      { sheet: 'samplelist', range: 'A1:K23' },
      { sheet: 'lists', range: 'A1:E20' },
    ],
    questions: [
      q('Where does the postal code go?', 'samplelist', 'A9', 'Postal Code'),
      q(
        'In which format should it be saved?',
        'samplelist',
        'F2',
        '!! Please save in .xlsx format',
      ),
      q('What is the second list about?', 'lists', 'B1', 'Material'),
    ],
  },
  {
    file: 'xlsx/012-47813.xlsx',
    reads: [{ sheet: 'Numbers', range: 'A1:C40' }, { sheet: 'SomeJunk' }],
    questions: [
      q('What is the sine of 30 degrees?', 'Numbers', 'B32', '0.500 {=SIN(RADIANS(A32))}'),
      q('How is the cosine computed?', 'Numbers', 'C2', '1.000 {=COS(RADIANS(A2))}'),
      q('What is on the last sheet?', 'SomeJunk', 'A1', 'Some random junk.'),
    ],
  },
  {
    file: 'xlsx/034-threaded_comments_none.xlsx',
    reads: [{ range: 'A1:F8' }],
    questions: [
      q('Which cell shows today?', 'Sheet1', 'B2', '3/13/2022 {=TODAY()}'),
      q('How many days lie between the two?', 'Sheet1', 'C4', '2564 {=C2-C3}'),
      q('What does the hidden negative number say?', 'Sheet1', 'A2', ' {-12.34}'),
    ],
  },
  {
    file: 'xlsx/058-NoExtDataF1.xlsx',
    reads: [
      { sheet: 'Sheet1', range: 'A1:J20' },
      { sheet: 'Sheet1', range: 'A4998:J5000' },
    ],
    questions: [
      q('How is Ycol computed?', 'Sheet1', 'B2', '3.5 {=POWER(A2,2)+2.5}'),
      q('Which factor do the areas use?', 'Sheet1', 'D1', '5456'),
      q('What does the last row start with?', 'Sheet1', 'A5000', '0.982279615741935'),
    ],
  },
  {
    file: 'xlsx/060-formula_stress_test.xlsx',
    reads: [
      { sheet: 'Date', range: 'A1:E28' },
      { sheet: 'Database', range: 'A1:E30' },
    ],
    questions: [
      q('Which cell computes a difference of dates?', 'Date', 'A20', 'DATEDIF'),
      q(
        'What does the pivot lookup yield?',
        'Database',
        'B16',
        '57 {=GETPIVOTDATA("Sum of Qux",B32)}',
      ),
      q('Where is the year taken out of a date?', 'Date', 'A10', 'YEAR'),
    ],
  },
  {
    file: 'xlsx/009-StructuredRefs-lots-with-lookups.xlsx',
    reads: [
      { sheet: 'Profile', range: 'B2:D12' },
      { sheet: 'dropdowns', range: 'E1:G13' },
    ],
    questions: [
      q('Which state is selected?', 'Profile', 'B3', 'All States'),
      q(
        'How is the first factor of 2001 computed?',
        'Profile',
        'D9',
        '55.1 {55.0955442897888} {=IF(C9=" "," ",E9/C9*1000)}',
      ),
      q('What is the first category to choose from?', 'dropdowns', 'E2', 'Category 1'),
    ],
  },
]

const MAX_TOKENS = 6_000
const BYTES_PER_TOKEN = 3 // tables of numbers and formulas are dense: a careful estimate

describe.skipIf(!hasCorpus)('a map and two reads are enough', () => {
  test.each(STORIES)('$file', async ({ file, reads, questions }) => {
    const [known] = corpusFiles(own => own.file === file)
    const document = unwrap(xlsxFormat.open(readCorpusFile(known!), NAME))
    const texts = [
      unwrap(document.map()).text,
      ...reads.map(region => unwrap(document.read(region, { maxBytes: 8_000 })).text),
    ]
    const all = texts.join('\n\n')
    expect(Buffer.byteLength(all) / BYTES_PER_TOKEN).toBeLessThan(MAX_TOKENS)
    for (const { sheet, cell, answer, ask } of questions) {
      expect(shown(document, sheet, cell), ask).toBe(answer)
      const row = cell.replace(/\D/g, '')
      const isShown = texts
        .slice(1)
        .some(
          text =>
            text.includes(`sheet ${JSON.stringify(sheet)}`) &&
            new RegExp(`^${row}\\|`, 'm').test(text),
        )
      expect(isShown, ask).toBe(true)
    }
    const golden = `${file.slice(5, 8)}.golden.txt`
    await expect(`${all}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', golden))
  })
})
