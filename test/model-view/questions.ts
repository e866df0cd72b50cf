/** What a person could ask of a workbook, the regions a model would read after the map, and the cell that answers. */
export interface Question {
  readonly asks: string
  /** At most two: what the map suggests. */
  readonly reads: readonly { readonly sheet: string; readonly range: string }[]
  readonly sheet: string
  readonly cell: string
  /** As a person sees it in that cell. */
  readonly shows: string
}

export const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  '003-bug62181.xlsx': [
    {
      asks: 'What is in column E of the first row?',
      reads: [{ sheet: 'List 2', range: 'A1:I4' }],
      sheet: 'List 2',
      cell: 'E1',
      shows: '17060',
    },
    {
      asks: 'Which date does the last row have?',
      reads: [{ sheet: 'List 2', range: 'A19452:I19455' }],
      sheet: 'List 2',
      cell: 'D19455',
      shows: '01.03.2018',
    },
    {
      asks: 'What is the value in E of the last full day?',
      reads: [{ sheet: 'List 2', range: 'A19452:I19455' }],
      sheet: 'List 2',
      cell: 'E19454',
      shows: '30359',
    },
  ],
  '004-test-issue-877.xlsx': [
    {
      asks: 'What does article 502 cost apiece?',
      reads: [{ sheet: 'Ersatzteilliste', range: 'A4:J8' }],
      sheet: 'Ersatzteilliste',
      cell: 'E7',
      shows: '0,30',
    },
    {
      asks: 'How is the need for the tour computed for the first position?',
      reads: [{ sheet: 'Ersatzteilliste', range: 'A4:J8' }],
      sheet: 'Ersatzteilliste',
      cell: 'J5',
      shows: '=SUM(F5-I5)',
    },
    {
      asks: 'What was the overall result of the welding set?',
      reads: [{ sheet: 'Schweißgerät', range: 'A13:D16' }],
      sheet: 'Schweißgerät',
      cell: 'D13',
      shows: 'Prüfung in Ordnung',
    },
  ],
  '006-basicspreadsheet.xlsx': [
    {
      asks: 'What is the largest value in column a of the source of the pivot tables?',
      reads: [{ sheet: 'Sheet2', range: 'A1:C4' }],
      sheet: 'Sheet2',
      cell: 'A4',
      shows: '8',
    },
    {
      asks: 'Which style does the row "Heading 1" show?',
      reads: [{ sheet: 'Sheet1', range: 'A1:B8' }],
      sheet: 'Sheet1',
      cell: 'B6',
      shows: 'Cell Style',
    },
    {
      asks: 'What is c where a is 3?',
      reads: [{ sheet: 'Sheet2', range: 'A1:C4' }],
      sheet: 'Sheet2',
      cell: 'C3',
      shows: '5',
    },
  ],
  '009-StructuredRefs-lots-with-lookups.xlsx': [
    {
      asks: 'Which factor does category 11 have?',
      reads: [{ sheet: 'dropdowns', range: 'E1:G13' }],
      sheet: 'dropdowns',
      cell: 'F12',
      shows: '100',
    },
    {
      asks: 'What is total4 of all states in 2011?',
      reads: [{ sheet: 'query2', range: 'L1:S15' }],
      sheet: 'query2',
      cell: 'P13',
      shows: '101970529',
    },
    {
      asks: 'How large is the total of the year 2002 on the profile?',
      reads: [{ sheet: 'Profile', range: 'B2:F10' }],
      sheet: 'Profile',
      cell: 'C10',
      shows: '35,752,745',
    },
  ],
  '010-pivot_table_first_header_row.xlsx': [
    {
      asks: 'How many mails are of the second type?',
      reads: [{ sheet: 'pivot', range: 'A3:E6' }],
      sheet: 'pivot',
      cell: 'B5',
      shows: '15',
    },
    {
      asks: 'When was the password of the user in row 4 set?',
      reads: [{ sheet: 'users', range: 'A1:E8' }],
      sheet: 'users',
      cell: 'E4',
      shows: '02/10/2017',
    },
    {
      asks: 'Which employee id has the user in row 7?',
      reads: [{ sheet: 'users', range: 'A1:E8' }],
      sheet: 'users',
      cell: 'B7',
      shows: '89',
    },
  ],
  '012-47813.xlsx': [
    {
      asks: 'What is the cosine of 89 degrees?',
      reads: [{ sheet: 'Numbers', range: 'A88:C94' }],
      sheet: 'Numbers',
      cell: 'C91',
      shows: '0.017',
    },
    {
      asks: 'How is the sine computed?',
      reads: [{ sheet: 'Numbers', range: 'A88:C94' }],
      sheet: 'Numbers',
      cell: 'B88',
      shows: '=SIN(RADIANS(A88))',
    },
    {
      asks: 'What stands on the sheet of junk?',
      reads: [{ sheet: 'SomeJunk', range: 'A1' }],
      sheet: 'SomeJunk',
      cell: 'A1',
      shows: 'Some random junk.',
    },
  ],
  '013-simple-monthly-budget.xlsx': [
    {
      asks: 'What do the groceries cost?',
      reads: [{ sheet: 'Simple Monthly Budget', range: 'B9:C23' }],
      sheet: 'Simple Monthly Budget',
      cell: 'C15',
      shows: '$500.00',
    },
    {
      asks: 'What is the balance of the month?',
      reads: [{ sheet: 'Simple Monthly Budget', range: 'E7:H9' }],
      sheet: 'Simple Monthly Budget',
      cell: 'G9',
      shows: '$1,414',
    },
    {
      asks: 'How is the share of the income spent computed?',
      reads: [{ sheet: 'Simple Monthly Budget', range: 'E3:H5' }],
      sheet: 'Simple Monthly Budget',
      cell: 'H4',
      shows: '=TotalMonthlyExpenses/TotalMonthlyIncome',
    },
  ],
  '029-mv-calculator-final-2-20-2013.xlsm': [
    {
      asks: 'How many members are in the final sample?',
      reads: [{ sheet: 'Enrollment Restrictions', range: 'B24:C29' }],
      sheet: 'Enrollment Restrictions',
      cell: 'C29',
      shows: '2,303,558',
    },
    {
      asks: 'How many were taken out for spending nothing?',
      reads: [{ sheet: 'Enrollment Restrictions', range: 'B24:C29' }],
      sheet: 'Enrollment Restrictions',
      cell: 'C26',
      shows: '-28,312',
    },
    {
      asks: 'Which row of the calculator takes the deductible?',
      reads: [{ sheet: 'MV Calculator', range: 'A8:D13' }],
      sheet: 'MV Calculator',
      cell: 'A10',
      shows: 'Deductible ($)',
    },
  ],
  '055-AutoFilter.xlsx': [
    {
      asks: 'Which library reads XLSB?',
      reads: [{ sheet: 'No Filter', range: 'A1:E12' }],
      sheet: 'No Filter',
      cell: 'C4',
      shows: 'js-xlsx',
    },
    {
      asks: 'How important is CSV?',
      reads: [{ sheet: 'No Filter', range: 'A1:E12' }],
      sheet: 'No Filter',
      cell: 'E9',
      shows: '2',
    },
    {
      asks: 'What is noted on XLS 97-2004?',
      reads: [{ sheet: 'No Filter', range: 'A1:E12' }],
      sheet: 'No Filter',
      cell: 'D5',
      shows: 'BIFF8',
    },
  ],
  '058-NoExtDataF1.xlsx': [
    {
      asks: 'How is the area in row 3 computed?',
      reads: [{ sheet: 'Sheet1', range: 'A1:D6' }],
      sheet: 'Sheet1',
      cell: 'C3',
      shows: '=((B3-B2)/2)*$D$1',
    },
    {
      asks: 'What is the factor of the areas?',
      reads: [{ sheet: 'Sheet1', range: 'A1:D6' }],
      sheet: 'Sheet1',
      cell: 'D1',
      shows: '5456',
    },
    {
      asks: 'What does column J hold in the very last row?',
      reads: [{ sheet: 'Sheet1', range: 'A4996:J5000' }],
      sheet: 'Sheet1',
      cell: 'J5000',
      shows: '0.512055910627497',
    },
  ],
}
