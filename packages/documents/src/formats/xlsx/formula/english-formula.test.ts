import { expect, test } from 'vitest'
import { englishFormula } from './english-formula.ts'
import { LOCAL_FUNCTIONS } from './local-functions.ts'

const english = (formula: string) => englishFormula(formula, name => name === 'NU')

test.each([
  ['SUMME(C2;D2)', 'SUM(C2,D2)'],
  ['1,5*C2', '1.5*C2'],
  ['(1,5+C2)*0,25', '(1.5+C2)*0.25'],
  ['RUNDEN(C2*1,19;2)', 'ROUND(C2*1.19,2)'],
  ['SI(A1>0;MOYENNE(B1:B3);"non;1,5")', 'IF(A1>0,AVERAGE(B1:B3),"non;1,5")'],
  ["somme('a;1,5'!B1;$C$2)", "SUM('a;1,5'!B1,$C$2)"],
  ['WENN(UND(A1=WAHR;B1);1,5;0)', 'IF(AND(A1=TRUE,B1),1.5,0)'],
  ['SVERWEIS(A1;Liste!$A$2:$C$9;3;FALSCH)', 'VLOOKUP(A1,Liste!$A$2:$C$9,3,FALSE)'],
  ['SUMME({1;2})', 'SUM({1;2})'],
  ['SUMME(Umsatz[Netto;1])', 'SUM(Umsatz[Netto;1])'],
  ['ZÄHLENWENN(A:A;">1,5")', 'COUNTIF(A:A,">1,5")'],
])('%s is %s', (sent, meant) => {
  expect(english(sent)).toBe(meant)
})

test('what is English stays, and so does a name of the workbook', () => {
  for (const formula of [
    'SUM(1,5)',
    'SUM(C2,D2)*1.5',
    'ROUND(A1*1,5)',
    'IF(A1,"SUMME(1;2)",2)',
    'NU(1)',
    'Jahr+Tag',
    'A1:B2,C3',
    'SUM($A$1,5)',
  ])
    expect(english(formula)).toBe(formula)
})

test('a name means one function, and none of them is English', () => {
  const names = [...LOCAL_FUNCTIONS.keys()]
  const functions = new Set(LOCAL_FUNCTIONS.values())
  expect(names.filter(name => functions.has(name))).toEqual([])
  expect(names.every(name => name === name.toUpperCase())).toBe(true)
})
