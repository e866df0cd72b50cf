/** A formula that is not computed here, by its form, and one of the same purpose that is; a test computes each. */
export const COMPUTED_INSTEAD: readonly (readonly [RegExp, string])[] = [
  [
    /\bSUMPRODUCT\(.*\b(?:MONTH|YEAR)\(/i,
    'SUMIFS(C2:C9,A2:A9,">="&DATE(2026,1,1),A2:A9,"<"&DATE(2026,2,1))',
  ],
  [/\bCOUNTIFS?\([^()]*\{/i, 'COUNTIF(B2:B9,"Ann")+COUNTIF(B2:B9,"Bob")'],
  [/\bSUMIFS?\([^()]*\{/i, 'SUMIF(B2:B9,"Ann",C2:C9)+SUMIF(B2:B9,"Bob",C2:C9)'],
  [/\bSUM\(IF\(/i, 'SUMIFS(C2:C9,B2:B9,"Ann")'],
  [/\bCOUNT\(IF\(|\bSUM\(--/i, 'COUNTIFS(B2:B9,"Ann")'],
  [/\bAVERAGE\(IF\(/i, 'AVERAGEIFS(C2:C9,B2:B9,"Ann")'],
  [/\bMAX\(IF\(|\bAGGREGATE\(14,/i, 'MAXIFS(C2:C9,B2:B9,"Ann")'],
  [/\bMIN\(IF\(|\bAGGREGATE\(15,/i, 'MINIFS(C2:C9,B2:B9,"Ann")'],
  [/\bAGGREGATE\(9,/i, 'SUBTOTAL(9,C2:C9)'],
  [/\bINDIRECT\(/i, 'INDEX(A2:A9,2)'],
  [/\bHOUR\(/i, 'INT(MOD(A2,1)*24)'],
  [/\bTEXTBEFORE\(/i, 'LEFT(D2,FIND("-",D2)-1)'],
  [/\bTEXTAFTER\(/i, 'MID(D2,FIND("-",D2)+1,99)'],
  [/\bTEXT\([^()]*,"[^"]*[$€£][^"]*"\)/i, 'TEXT(C2,"0.00")'],
  [/\bTEXT\([^()]*,"[^"]*mmm[^"]*"\)/i, 'TEXT(A2,"yyyy-mm-dd")'],
]

/** A computed form for a formula that is not; undefined where none is known. */
export function computedInstead(formula: string): string | undefined {
  return COMPUTED_INSTEAD.find(([form]) => form.test(formula))?.[1]
}
