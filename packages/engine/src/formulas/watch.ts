import type * as univer from '@univerjs/engine-formula'

/**
 * What kinds of values functions were given while a cell was computed, as `NAME place kind`. A function that is right for
 * numbers may be wrong for an empty text or a day before March 1900, so a proof is for the kinds it was made with.
 */
export class Watch {
  #names: ReadonlySet<string> = new Set()
  #wanted: ReadonlySet<string> = new Set()
  #isAll = false
  #seen = new Set<string>()

  /** `NAME place kind` for one kind, `NAME` for every kind, `*` for everything. */
  start(wanted: readonly string[]): void {
    this.#wanted = new Set(wanted)
    this.#isAll = this.#wanted.has('*')
    this.#names = new Set(wanted.map(own => own.split(' ', 1)[0]!))
  }

  over(name: string, executor: univer.BaseFunction): void {
    const own = executor.calculate.bind(executor)
    executor.calculate = (...given) => {
      if (this.#isAll || this.#names.has(name)) this.#note(name, given)
      return own(...given)
    }
  }

  /** What was seen since the last time. */
  take(): readonly string[] | undefined {
    if (this.#seen.size === 0) return undefined
    const seen = [...this.#seen]
    this.#seen = new Set()
    return seen
  }

  #note(name: string, given: readonly univer.FunctionVariantType[]): void {
    const isWhole = this.#isAll || this.#wanted.has(name)
    for (const [place, own] of given.entries()) {
      const entry = `${name} ${Math.min(place, LAST_PLACE)} ${kindOf(own)}`
      if (isWhole || this.#wanted.has(entry)) this.#seen.add(entry)
    }
  }
}

const LAST_PLACE = 7 // beyond it arguments only repeat
const AFTER_LEAP = 61 // the first day that every program counts alike
const MOST_LOOKED_AT = 10_000

function kindOf(given: univer.FunctionVariantType): string {
  if (given.isReferenceObject()) {
    const reference = given as univer.BaseReferenceObject
    const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition()
    if (startRow !== endRow || startColumn !== endColumn) return 'range'
    // an array of one cell would cost more than the computation
    const cell = reference.getCellData(startRow, startColumn)
    return cell ? kindOfOne(reference.getCellValueObject(cell)) : 'blank'
  }
  const value = given as univer.BaseValueObject
  return value.isArray() ? kindOfList(value as univer.ArrayValueObject) : kindOfOne(value)
}

function kindOfList(list: univer.ArrayValueObject): string {
  const count = list.getRowCount() * list.getColumnCount()
  if (count === 1) return kindOfOne(list.getFirstCell())
  if (count > MOST_LOOKED_AT) return 'range'
  let hasText = false
  list.iterator(own => {
    hasText = own?.isString() ?? false
    return !hasText
  })
  return hasText ? 'texts' : 'range'
}

function kindOfOne(value: univer.BaseValueObject): string {
  if (value.isNull()) return 'blank'
  if (value.isError()) return 'error'
  if (value.isBoolean()) return 'truth'
  if (value.isString()) return kindOfText(String(value.getValue()))
  const number = Number(value.getValue())
  if (number === 0) return 'zero'
  if (number < 0) return 'negative'
  if (Number.isInteger(number)) return number < AFTER_LEAP ? 'small' : 'number'
  return number < AFTER_LEAP ? 'fraction' : 'decimal'
}

function kindOfText(text: string): string {
  if (text === '') return 'empty'
  return Number.isFinite(Number(text)) ? 'digits' : 'text'
}
