import type { ChangeSide } from './change.ts'

/** Both sides of a changed value, one line each. Where they would read the same, the raw values or the formats are added. */
export function toSideTexts(
  before: ChangeSide | null,
  after: ChangeSide | null,
): { readonly before: string | undefined; readonly after: string | undefined } {
  const texts = {
    before: before ? toText(before) : undefined,
    after: after ? toText(after) : undefined,
  }
  const isAlike =
    texts.before !== undefined && withoutSpace(texts.before) === withoutSpace(texts.after)
  if (!isAlike) return texts
  if (before?.value === after?.value) return withFormats(texts, before, after) ?? texts
  if (texts.before !== texts.after)
    return { before: `"${texts.before}"`, after: `"${texts.after}"` } // only space differs
  return { before: `${texts.before} (${before?.value})`, after: `${texts.after} (${after?.value})` }
}

function withFormats(
  texts: { readonly before: string | undefined; readonly after: string | undefined },
  before: ChangeSide | null,
  after: ChangeSide | null,
) {
  const formats = [before?.format, after?.format]
  const isTold = texts.before === texts.after && formats[0] !== formats[1] && texts.before !== ''
  if (!isTold || texts.before === before?.format || texts.after === after?.format) return undefined
  return {
    before: `${texts.before} (${before?.format ?? 'no format'})`,
    after: `${texts.after} (${after?.format ?? 'no format'})`,
  }
}

function withoutSpace(text: string | undefined): string | undefined {
  return text?.replace(/\s/g, '')
}

function toText({ text, value, formula, format, path }: ChangeSide): string {
  const shown = (text || toValueText(value)) ?? text
  if (formula !== undefined) {
    const written = `=${formula.replace(/^=/, '')}`
    return shown ? `${written} (${inOneLine(shown)})` : written
  }
  if (value === '') return 'empty text'
  if (shown === undefined) return format ?? path ?? ''
  // Changes that are not cells, such as a sheet called 2026, have no value.
  const isText = typeof value === 'string' || (value === undefined && shown.startsWith('='))
  return isText && readsAsValue(shown) ? `the text "${inOneLine(shown)}"` : inOneLine(shown)
}

/** A number format may hide the number completely. */
function toValueText(value: ChangeSide['value']): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}

function inOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, ' ⏎ ')
}

/** Whether text could be mistaken for a number, a date, a boolean, an error or a formula. */
export function readsAsValue(text: string): boolean {
  return READS_AS_VALUE.test(text)
}

const READS_AS_VALUE =
  /^(?=.*\d)[\s\p{Sc}\d.,:/%()'’+-]+(?:e[-+]?\d+)?$|^(?:true|false)$|^#[A-Z/0]+[!?]?$|^=./iu
