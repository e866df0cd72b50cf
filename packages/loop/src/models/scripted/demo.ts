import type { Script } from './model.ts'

const prices = [
  ['Product', 'Price', 'Next year'],
  ['Rye bread', 6.4, { formula: 'ROUND(B2*1.04,2)' }],
  ['Apple cake', 4.2, { formula: 'ROUND(B3*1.04,2)' }],
]

/** Lets the product run without any key: a script that says so, and works on the sample through the real tools. */
export const demo: Script = {
  notice:
    'This is a scripted demonstration, not a model: it plays the same steps whatever you write. To use a real one, choose it under Home on the page; in a terminal, "filewright help models" says how.',
  delayMs: 15,
  answers: [
    {
      text: 'First I list the files.',
      calls: [{ name: 'list_files', arguments: '{}' }],
    },
    {
      text: 'I create a small workbook in the draft, with values and a formula, and read it back.',
      calls: [
        {
          name: 'xlsx_operations',
          arguments: JSON.stringify({
            path: 'demo-prices.xlsx',
            create_if_missing: true,
            operations: [
              { op: 'ensure_sheet', sheet: 'Prices' },
              { op: 'set_range', sheet: 'Prices', start: 'A1', values: prices },
            ],
          }),
        },
        {
          name: 'read_file',
          arguments: JSON.stringify({ path: 'demo-prices.xlsx', sheet: 'Prices' }),
        },
      ],
    },
    {
      text: 'And a short note next to it.',
      calls: [
        {
          name: 'write_text_file',
          arguments: JSON.stringify({
            path: 'demo-note.md',
            content:
              '# A note from the demonstration\n\nThis file is in a draft. It reaches the folder only when you publish it.\n',
          }),
        },
      ],
    },
    {
      text: 'Done: both files wait in the draft. Look at them on the page or with "filewright review", and publish or discard them.',
      calls: [],
    },
  ],
}
