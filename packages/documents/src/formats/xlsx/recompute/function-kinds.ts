const words = (text: string) => new Set(text.split(' '))

/** They compute only one of their parts. */
export const BRANCHING = words('IF IFS IFERROR IFNA SWITCH CHOOSE')

/** How many cells a range has matters to them, with or without values. */
export const SIZE_MATTERS = words(
  'ROWS COLUMNS ROW COLUMN COUNTBLANK COUNTIF COUNTIFS SUMPRODUCT LOOKUP FREQUENCY TEXTJOIN CONCAT INDEX XMATCH XLOOKUP',
)

/** They read every sheet of a range of sheets as if each were an argument. */
export const SPANNING = words(
  'SUM AVERAGE AVERAGEA COUNT COUNTA MAX MAXA MIN MINA PRODUCT STDEV STDEVA STDEVP STDEVPA VAR VARA VARP VARPA STDEV.S STDEV.P VAR.S VAR.P',
)

/** Their results depend on where days begin to count. */
export const DATES = words(
  'DATE DATEVALUE DATEDIF DAY DAYS360 EDATE EOMONTH HOUR ISOWEEKNUM MINUTE MONTH NETWORKDAYS NETWORKDAYS.INTL NOW SECOND TEXT TIMEVALUE TODAY VALUE WEEKDAY WEEKNUM WORKDAY WORKDAY.INTL YEAR YEARFRAC ACCRINT COUPNUM PRICE YIELD XIRR XNPV',
)

const RANDOM = words('RAND RANDBETWEEN RANDARRAY')
const ELSEWHERE = words(
  'CUBEKPIMEMBER CUBEMEMBER CUBEMEMBERPROPERTY CUBERANKEDMEMBER CUBESET CUBESETCOUNT CUBEVALUE GETPIVOTDATA RTD WEBSERVICE FILTERXML STOCKHISTORY CALL REGISTER.ID SQL.REQUEST EUROCONVERT IMAGE TRANSLATE DETECTLANGUAGE PY',
)
const DYNAMIC = words('INDIRECT OFFSET CELL INFO EVALUATE GET.CELL GET.WORKBOOK')
const ABOUT_FORMULAS = words('FORMULATEXT ISFORMULA SHEET SHEETS AREAS ISREF PHONETIC HYPERLINK')
/** Known to be wrong in the library, or to give several values. */
const WITHOUT_PROOF = words(
  'LET LAMBDA MAP REDUCE SCAN BYROW BYCOL MAKEARRAY ISOMITTED SINGLE ANCHORARRAY SORT SORTBY FILTER UNIQUE SEQUENCE TAKE DROP HSTACK VSTACK TOCOL TOROW WRAPROWS WRAPCOLS EXPAND CHOOSEROWS CHOOSECOLS GROUPBY PIVOTBY TEXTSPLIT TRANSPOSE FREQUENCY MMULT MINVERSE MUNIT LINEST LOGEST TREND GROWTH MODE.MULT TRIMRANGE PERCENTOF ASC DBCS JIS BAHTTEXT',
)

/** Why a formula with that function cannot be computed here; undefined if it can be tried. */
export function uncomputable(name: string): string | undefined {
  if (RANDOM.has(name)) return `${name}, which changes each time`
  if (ELSEWHERE.has(name)) return `${name}, which needs another program or service`
  if (DYNAMIC.has(name)) return `${name}, whose input is only known when computed`
  if (ABOUT_FORMULAS.has(name) || WITHOUT_PROOF.has(name) || name.startsWith('FORECAST.ETS'))
    return name
  return undefined
}
