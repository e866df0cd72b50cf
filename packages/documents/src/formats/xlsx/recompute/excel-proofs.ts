/** Made by test/formulas/excel-proofs.test.ts from workbooks that Excel wrote: shapes of arguments, and what they were. */
export const EXCEL_PROOFS: Readonly<Record<string, string>> = {
  ABS: 's : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero',
  ACCRINTM: 's,s,s,s,s : 0 number, 1 number, 2 fraction, 2 zero, 3 number, 3 zero, 4 small, 4 zero',
  ACOS: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ACOSH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ACOT: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ACOTH:
    's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  AND: 'r | s : 0 range, 0 truth, 1 range, 1 truth',
  ARABIC: 's : 0 error, 0 fraction, 0 number, 0 text, 0 truth, 0 zero',
  ASIN: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ASINH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ATAN: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  ATAN2:
    's,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  ATANH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  AVERAGE:
    'r | s : 0 blank, 0 digits, 0 error, 0 range, 0 small, 0 text, 1 blank, 1 error, 1 small, 1 text, 1 truth, 1 zero, 2 blank, 2 digits, 2 negative, 2 range, 2 small, 2 text, 2 truth, 2 zero, 3 blank, 3 digits, 3 text, 3 truth, 4 blank, 4 empty, 4 text, 5 blank, 5 fraction, 5 small, 5 text, 6 blank, 6 small, 6 text, 7 blank, 7 digits, 7 small, 7 text',
  AVERAGEA:
    'r | s : 0 blank, 0 digits, 0 error, 0 range, 0 small, 0 text, 0 zero, 1 blank, 1 error, 1 small, 1 text, 1 truth, 1 zero, 2 blank, 2 digits, 2 negative, 2 range, 2 small, 2 text, 2 zero, 3 blank, 3 text, 3 truth, 4 blank, 4 digits, 4 empty, 4 text, 5 blank, 5 fraction, 5 small, 5 text, 6 blank, 6 small, 6 text, 7 blank, 7 digits, 7 small, 7 text',
  AVERAGEIF: 'r,s,r : 0 range, 1 blank, 1 text, 2 range',
  AVERAGEIFS:
    'r,r,s : 0 range, 1 range, 2 blank, 2 small, 2 text, 3 range, 4 blank, 4 small, 4 text',
  'BETA.DIST':
    's,s,s,s,s,s : 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 zero, 2 blank, 2 digits, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 text, 2 zero, 3 blank, 3 error, 3 fraction, 3 negative, 3 small, 3 text, 3 truth, 3 zero, 4 digits, 4 error, 4 fraction, 4 negative, 4 number, 4 small, 4 text, 4 zero, 5 digits, 5 error, 5 fraction, 5 number, 5 small, 5 text, 5 zero',
  BIN2DEC: 's : 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 truth',
  BIN2HEX:
    's | s,s : 0 digits, 0 fraction, 0 negative, 0 number, 0 small, 0 truth, 1 fraction, 1 negative, 1 number, 1 small, 1 truth',
  BIN2OCT:
    's | s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 truth, 1 fraction, 1 negative, 1 number, 1 small, 1 truth',
  CEILING:
    's,s : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  'CEILING.MATH':
    's,s | s,s,-1 | s,s,0 | s,s,0.01 | s,s,1 | s,s,FALSE | s,s,TRUE : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero, 2 fraction, 2 negative, 2 small, 2 truth, 2 zero',
  'CEILING.PRECISE':
    's | s,s : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  CHOOSE:
    's,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero, 1 small, 1 text, 1 zero, 2 error, 2 number, 2 small, 2 text, 3 small, 3 text, 4 small, 4 text',
  COLUMN: ' | s : 0 blank, 0 text',
  COLUMNS: 'r | s : 0 blank, 0 range, 0 text',
  COMBIN:
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  COMBINA:
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  CONCAT:
    'r | s : 0 range, 0 text, 0 texts, 1 blank, 1 empty, 1 error, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  CONCATENATE:
    's : 0 blank, 0 digits, 0 empty, 0 small, 0 text, 0 truth, 1 blank, 1 digits, 1 error, 1 small, 1 text, 1 truth, 2 blank, 2 error, 2 small, 2 text, 2 truth, 3 text',
  'CONFIDENCE.NORM':
    's,s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero, 2 blank, 2 digits, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 text, 2 truth, 2 zero',
  COS: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  COSH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  COTH: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  COUNT:
    'r | r,s | s : 0 blank, 0 digits, 0 empty, 0 error, 0 range, 0 small, 0 text, 0 texts, 0 truth, 1 blank, 1 error, 1 negative, 1 text, 1 truth, 1 zero, 2 blank, 2 negative, 2 range, 2 text, 2 texts, 2 zero, 3 blank, 3 text, 3 truth, 4 blank, 4 empty, 4 text, 5 blank, 5 fraction, 5 text, 6 blank, 6 small, 6 text, 7 blank, 7 digits, 7 error, 7 text',
  COUNTA:
    'r | r,s | s : 0 blank, 0 digits, 0 empty, 0 error, 0 range, 0 small, 0 text, 0 texts, 0 truth, 0 zero, 1 blank, 1 error, 1 negative, 1 text, 1 truth, 1 zero, 2 blank, 2 negative, 2 range, 2 text, 2 texts, 2 zero, 3 blank, 3 text, 3 truth, 4 blank, 4 empty, 4 text, 5 blank, 5 fraction, 5 text, 6 blank, 6 small, 6 text, 7 blank, 7 digits, 7 error, 7 text',
  COUNTBLANK: 'r | s : 0 blank, 0 empty, 0 error, 0 range, 0 small, 0 text, 0 texts',
  COUNTIF: 'r,s : 0 range, 1 blank, 1 text',
  'COVARIANCE.P': 'a,a | r,r : 0 range, 0 small, 0 texts, 1 range, 1 small, 1 texts',
  'COVARIANCE.S': 'a,a | r,r : 0 range, 0 small, 0 texts, 1 range, 1 small, 1 texts',
  CSCH: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  CUMIPMT:
    's,s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 zero, 1 negative, 1 small, 2 number, 3 negative, 3 small, 3 truth, 4 digits, 4 small, 5 digits, 5 fraction, 5 small, 5 truth, 5 zero',
  CUMPRINC:
    's,s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 zero, 1 negative, 1 small, 2 number, 3 negative, 3 small, 3 truth, 4 digits, 4 small, 5 digits, 5 fraction, 5 small, 5 truth, 5 zero',
  DATE: 's,s,s : 0 number, 0 zero, 1 small, 1 zero, 2 negative, 2 small',
  DAVERAGE: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 negative, 1 small, 1 text, 1 zero, 2 range',
  DEC2BIN:
    's | s,s : 0 blank, 0 decimal, 0 digits, 0 fraction, 0 negative, 0 number, 0 small, 0 truth, 0 zero, 1 blank, 1 negative, 1 small, 1 zero',
  DEC2HEX:
    's : 0 blank, 0 decimal, 0 digits, 0 fraction, 0 negative, 0 number, 0 small, 0 truth, 0 zero',
  DEC2OCT:
    's | s,s : 0 blank, 0 decimal, 0 digits, 0 fraction, 0 negative, 0 number, 0 small, 0 truth, 0 zero, 1 blank, 1 negative, 1 small, 1 zero',
  DELTA:
    's | s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 small, 1 zero',
  DISC: 's,s,s,s,s : 0 number, 1 number, 2 decimal, 2 fraction, 3 number, 4 fraction, 4 negative, 4 small, 4 zero',
  DMAX: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  DMIN: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  DSTDEV: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 negative, 1 small, 1 text, 1 zero, 2 range',
  DSTDEVP: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  DSUM: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  DVAR: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  DVARP: 'r,s,r : 0 range, 1 blank, 1 fraction, 1 small, 1 text, 1 zero, 2 range',
  EFFECT:
    's,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  EOMONTH:
    's,s : 0 number, 1 blank, 1 decimal, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero',
  'ERROR.TYPE': 's : 0 blank, 0 error, 0 small, 0 text, 0 truth',
  EVEN: 's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  EXACT:
    's,s : 0 blank, 0 error, 0 fraction, 0 small, 0 text, 0 truth, 1 blank, 1 digits, 1 error, 1 fraction, 1 small, 1 text',
  EXP: 's : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  'EXPON.DIST':
    's,s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero, 2 blank, 2 error, 2 small, 2 text, 2 truth, 2 zero',
  FACT: 's : 0 fraction, 0 small, 0 zero',
  FACTDOUBLE: 's : 0 fraction, 0 small, 0 zero',
  FIND: 's,s,s : 0 small, 0 text, 0 truth, 1 digits, 1 number, 1 text, 1 truth, 2 small, 2 zero',
  FISHER: 's : 0 fraction, 0 negative, 0 small',
  FISHERINV: 's : 0 fraction, 0 negative, 0 small, 0 zero',
  FLOOR:
    's,s : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  'FLOOR.MATH':
    's | s,s | s,s,"ONE" | s,s,-1 | s,s,0 | s,s,0.01 | s,s,1 | s,s,FALSE | s,s,TRUE : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero, 2 fraction, 2 negative, 2 small, 2 text, 2 truth, 2 zero',
  'FLOOR.PRECISE':
    's | s,s : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero',
  FV: 's,s,s | s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 zero, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero, 2 decimal, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 text, 3 blank, 3 error, 3 negative, 3 number, 3 small, 3 text, 3 zero, 4 blank, 4 fraction, 4 negative, 4 small, 4 truth, 4 zero',
  'GAMMA.DIST':
    's,s,s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero, 2 blank, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 truth, 2 zero, 3 blank, 3 fraction, 3 negative, 3 small, 3 text, 3 truth, 3 zero',
  'GAMMA.INV':
    's,s,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero, 2 blank, 2 error, 2 fraction, 2 negative, 2 small, 2 truth, 2 zero',
  GAUSS:
    's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  GCD: 's : 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 1 empty, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 2 blank, 2 fraction, 2 negative, 2 small',
  GESTEP:
    's | s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 small, 1 zero',
  HEX2BIN: 's | s,s : 0 negative, 0 number, 0 small, 0 text, 0 truth, 1 small',
  HEX2DEC: 's : 0 digits, 0 error, 0 negative, 0 number, 0 small, 0 text, 0 truth',
  HEX2OCT: 's | s,s : 0 negative, 0 number, 0 small, 0 text, 0 truth, 1 small',
  HLOOKUP:
    's,r,s | s,r,s,FALSE | s,r,s,TRUE | s,s,s : 0 blank, 0 error, 0 small, 0 text, 1 range, 1 small, 1 text, 1 truth, 2 error, 2 small, 3 error, 3 truth',
  HOUR: 's : 0 error, 0 fraction, 0 zero',
  IF: 's,s,s : 0 truth, 1 small, 1 text, 2 text, 2 zero',
  IFERROR:
    's,s : 0 blank, 0 error, 0 range, 0 small, 0 zero, 1 empty, 1 error, 1 small, 1 text, 1 zero',
  IFS: 's,s : 0 blank, 0 digits, 0 error, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 small, 1 text, 2 blank, 2 digits, 2 error, 2 small, 2 truth, 2 zero, 3 blank, 3 negative, 3 small, 4 truth, 5 text',
  INDEX:
    'r,s : 0 range, 0 texts, 1 fraction, 1 negative, 1 number, 1 small, 2 small, 2 zero, 3 small',
  INT: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  INTRATE: 's,s,s,s,s : 0 number, 1 number, 2 number, 3 decimal, 3 number, 4 small, 4 zero',
  IPMT: 's,s,s,s | s,s,s,s,s,s : 0 error, 0 fraction, 0 zero, 1 fraction, 1 negative, 1 small, 1 zero, 2 fraction, 2 small, 3 number, 4 number, 4 small, 4 zero, 5 small, 5 zero',
  IRR: 'r | r,s : 0 negative, 0 range, 0 small, 1 blank, 1 fraction, 1 negative, 1 small, 1 text, 1 truth',
  ISERROR: 's : 0 error',
  ISEVEN:
    's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero',
  ISODD: 's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero',
  ISPMT:
    's,s,s,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 1 blank, 1 negative, 1 number, 1 small, 2 blank, 2 fraction, 2 negative, 2 small, 2 truth, 2 zero, 3 blank, 3 fraction, 3 negative, 3 number, 3 small',
  LARGE: 'r,s : 0 range, 1 small, 1 zero',
  LCM: 's : 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 1 empty, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 2 blank, 2 fraction, 2 negative, 2 small',
  LEFT: 's | s,s : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text, 1 blank, 1 fraction, 1 negative, 1 number, 1 small, 1 zero',
  LEN: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text',
  'LOGNORM.DIST':
    's,s,s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero, 2 blank, 2 digits, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 truth, 2 zero, 3 blank, 3 negative, 3 small, 3 text, 3 truth, 3 zero',
  LOOKUP: 's,r,r : 0 error, 0 fraction, 0 negative, 0 small, 0 zero, 1 range, 2 range',
  LOWER: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text',
  MATCH: 's,r,-1 | s,r,0 | s,r,1 : 0 fraction, 0 small, 1 range, 2 negative, 2 small, 2 zero',
  MAX: 'r | s : 0 error, 0 range, 0 small, 1 error, 1 fraction, 1 negative, 1 small, 2 decimal, 2 small, 3 small, 3 text, 4 digits, 5 digits, 6 truth',
  MAXIFS: 'r,r,s : 0 range, 1 range, 2 blank, 2 small, 2 text, 3 range, 4 blank, 4 small, 4 text',
  MID: 's,s,s : 0 text, 1 blank, 1 error, 1 fraction, 1 small, 1 zero, 2 blank, 2 fraction, 2 negative, 2 number, 2 small, 2 zero',
  MIN: 'r | s : 0 error, 0 range, 0 small, 0 text, 1 digits, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 2 decimal, 2 small, 2 text, 3 text, 4 digits, 5 digits, 6 truth',
  MINA: 'r : 0 range, 0 small, 1 digits, 1 text, 2 truth',
  MINIFS: 'r,r,s : 0 range, 1 range, 2 blank, 2 small, 2 text, 3 range, 4 blank, 4 small, 4 text',
  MINUTE: 's : 0 error, 0 fraction, 0 zero',
  MIRR: 'r,s,s : 0 range, 1 blank, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 2 blank, 2 fraction, 2 negative, 2 small, 2 text, 2 truth',
  MOD: 's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero',
  MROUND:
    's,s : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero',
  N: 's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  NA: ' : ',
  NOMINAL:
    's,s : 0 decimal, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  'NORM.DIST':
    's,s,s,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero, 2 blank, 2 digits, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 truth, 2 zero, 3 blank, 3 small, 3 text, 3 truth, 3 zero',
  'NORM.INV':
    's,s,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 small, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero, 2 blank, 2 digits, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 truth, 2 zero',
  'NORM.S.DIST':
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 error, 1 small, 1 text, 1 truth, 1 zero',
  'NORM.S.INV': 's : 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 truth, 0 zero',
  NOT: 's : 0 negative, 0 small, 0 truth, 0 zero',
  NPER: 's,s,s | s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 zero, 1 decimal, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 zero, 2 error, 2 negative, 2 number, 2 small, 2 text, 3 blank, 3 error, 3 fraction, 3 number, 3 small, 3 zero, 4 blank, 4 fraction, 4 negative, 4 small, 4 truth, 4 zero',
  NPV: 's,r : 0 error, 0 fraction, 0 negative, 0 small, 0 zero, 1 range, 1 small',
  OCT2BIN: 's | s,s : 0 digits, 0 negative, 0 number, 0 small, 0 zero, 1 negative, 1 small',
  OCT2DEC: 's : 0 digits, 0 negative, 0 number, 0 small, 0 zero',
  OCT2HEX: 's | s,s : 0 digits, 0 negative, 0 number, 0 small, 0 zero, 1 negative, 1 small',
  ODD: 's : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  OR: 'r | s : 0 range, 0 truth, 1 range, 1 truth',
  PDURATION:
    's,s,s : 0 error, 0 fraction, 0 negative, 0 text, 0 truth, 0 zero, 1 decimal, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 1 zero, 2 decimal, 2 digits, 2 fraction, 2 negative, 2 number, 2 small, 2 truth, 2 zero',
  'PERCENTILE.EXC': 'r,s : 0 range, 1 fraction, 1 negative, 1 small',
  'PERCENTILE.INC': 'r,s : 0 range, 1 fraction, 1 negative, 1 small',
  'PERCENTRANK.EXC': 'r,s : 0 range, 1 fraction, 1 negative, 1 small, 2 small',
  'PERCENTRANK.INC': 'r,s : 0 range, 1 fraction, 1 negative, 1 small, 2 small',
  PERMUT:
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 1 blank, 1 digits, 1 fraction, 1 negative, 1 small, 1 truth',
  PERMUTATIONA:
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 small, 1 blank, 1 digits, 1 fraction, 1 negative, 1 small, 1 truth',
  PI: ' : ',
  PMT: 's,s,s | s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 zero, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 zero, 2 error, 2 negative, 2 number, 2 small, 2 text, 3 blank, 3 error, 3 fraction, 3 number, 3 small, 3 zero, 4 blank, 4 fraction, 4 negative, 4 small, 4 truth, 4 zero',
  POWER:
    's,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  PPMT: 's,s,s,s | s,s,s,s,s,s : 0 error, 0 fraction, 0 zero, 1 fraction, 1 negative, 1 small, 1 zero, 2 fraction, 2 small, 3 number, 4 number, 4 small, 4 zero, 5 small, 5 zero',
  PRICE:
    's,s,s,s,s,s,s : 0 number, 1 number, 2 fraction, 3 fraction, 4 number, 4 small, 5 small, 6 small, 6 zero',
  PROB: 'r,r,s | r,r,s,s : 0 range, 1 range, 2 blank, 2 fraction, 2 negative, 2 small, 2 text, 2 zero, 3 blank, 3 fraction, 3 negative, 3 number, 3 small',
  PRODUCT: 'r | s : 0 blank, 0 digits, 0 error, 0 range, 0 small, 0 text, 0 truth',
  PROPER: 's : 0 blank, 0 text',
  PV: 's,s,s | s,s,s,s,s : 0 error, 0 fraction, 0 negative, 0 small, 0 text, 0 zero, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 zero, 2 decimal, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 text, 3 blank, 3 error, 3 fraction, 3 number, 3 small, 3 zero, 4 blank, 4 fraction, 4 negative, 4 small, 4 truth, 4 zero',
  'QUARTILE.EXC': 'r,s : 0 range, 1 blank, 1 fraction, 1 negative, 1 small, 1 zero',
  'QUARTILE.INC': 'r,s : 0 range, 1 blank, 1 fraction, 1 negative, 1 small, 1 zero',
  QUOTIENT:
    's,s : 0 blank, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero',
  'RANK.AVG': 's,r,0 | s,r,1 : 0 decimal, 0 negative, 0 number, 0 small, 1 range, 2 small, 2 zero',
  'RANK.EQ': 's,r,0 | s,r,1 : 0 decimal, 0 negative, 0 number, 0 small, 1 range, 2 small, 2 zero',
  RATE: 's,s,s | s,s,s,s,s : 0 error, 0 small, 1 error, 1 negative, 2 error, 2 number, 3 number, 3 zero, 4 small, 4 truth, 4 zero',
  RIGHT:
    's | s,s : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text, 1 blank, 1 fraction, 1 negative, 1 number, 1 small, 1 zero',
  ROMAN:
    's | s,s : 0 blank, 0 decimal, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 digits, 1 small, 1 text, 1 truth, 1 zero',
  ROUND:
    's,s : 0 blank, 0 decimal, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  ROUNDDOWN:
    's,s : 0 blank, 0 decimal, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  ROUNDUP:
    's,s : 0 blank, 0 decimal, 0 digits, 0 error, 0 fraction, 0 negative, 0 number, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 error, 1 fraction, 1 negative, 1 small, 1 text, 1 truth, 1 zero',
  ROW: ' | s : 0 blank, 0 error, 0 text',
  ROWS: 'r | s : 0 blank, 0 range, 0 text',
  RRI: 's,s,s : 0 fraction, 0 negative, 0 small, 0 zero, 1 blank, 1 fraction, 1 small, 2 blank, 2 fraction, 2 small',
  SEARCH: 's,s,s : 0 small, 0 text, 0 truth, 1 digits, 1 number, 1 text, 1 truth, 2 small, 2 zero',
  SECH: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  SIGN: 's : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  SIN: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  SINH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  SMALL: 'r,s | s,s : 0 digits, 0 fraction, 0 range, 0 text, 0 texts, 0 truth, 1 small, 1 zero',
  SQRT: 's : 0 negative',
  STANDARDIZE: 's,s,s : 0 fraction, 0 small, 1 fraction, 1 negative, 1 small, 2 fraction, 2 small',
  SUM: 'a | r | s : 0 blank, 0 digits, 0 error, 0 range, 0 small, 0 text, 0 truth, 1 error, 1 small, 2 range',
  SUMIF: 'r,s,r : 0 range, 1 blank, 1 text, 2 range',
  SUMIFS: 'r,r,s : 0 range, 1 range, 2 blank, 2 small, 2 text, 3 range, 4 blank, 4 small, 4 text',
  SUMSQ:
    'a | r | s : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 number, 0 range, 0 small, 0 text, 1 range, 1 small, 2 small',
  T: 's : 0 blank, 0 digits, 0 error, 0 fraction, 0 number, 0 text, 0 truth',
  'T.TEST': 'r,r,s,s : 0 texts, 1 texts, 2 fraction, 2 small, 3 fraction, 3 small',
  TAN: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  TANH: 's : 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  TIME: 's,s,s : 0 blank, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 1 blank, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 text, 1 truth, 2 blank, 2 error, 2 fraction, 2 negative, 2 number, 2 small, 2 text, 2 truth, 2 zero',
  TRIM: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text',
  TRIMMEAN: 'r,s : 0 range, 1 blank, 1 fraction, 1 negative, 1 small, 1 zero',
  TRUNC:
    's,s : 0 blank, 0 digits, 0 empty, 0 error, 0 fraction, 0 negative, 0 number, 0 small, 0 text, 0 truth, 0 zero, 1 blank, 1 digits, 1 empty, 1 error, 1 fraction, 1 negative, 1 number, 1 small, 1 truth, 1 zero',
  UPPER: 's : 0 blank, 0 digits, 0 empty, 0 error, 0 number, 0 text',
  VALUE:
    's : 0 blank, 0 decimal, 0 digits, 0 empty, 0 error, 0 fraction, 0 number, 0 small, 0 text, 0 truth, 0 zero',
  VALUETOTEXT: 's : 0 blank, 0 digits, 0 text',
  VLOOKUP:
    's,r,s | s,r,s,FALSE | s,s,s : 0 blank, 0 error, 0 small, 0 text, 1 range, 1 small, 1 text, 1 truth, 2 error, 2 small, 3 truth',
  XIRR: 'r,r : 0 range, 1 range',
  XNPV: 's,r,r : 0 fraction, 0 negative, 0 small, 1 range, 2 range',
  YEARFRAC: 's,s,s : 0 number, 1 number, 2 small, 2 zero',
  YIELD:
    's,s,s,s,s,s,s : 0 number, 1 number, 2 fraction, 3 decimal, 3 fraction, 4 number, 4 small, 5 small, 6 small, 6 zero',
}
