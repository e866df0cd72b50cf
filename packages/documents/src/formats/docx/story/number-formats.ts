const FORMATS: Readonly<Record<string, (count: number) => string>> = {
  decimal: String,
  decimalZero: count => String(count).padStart(2, '0'),
  none: () => '',
  lowerLetter: count => lettersOf(LATIN, count),
  upperLetter: count => lettersOf(LATIN, count).toUpperCase(),
  russianLower: count => lettersOf(RUSSIAN, count),
  russianUpper: count => lettersOf(RUSSIAN, count).toUpperCase(),
  lowerRoman: romanOf,
  upperRoman: count => romanOf(count).toUpperCase(),
  hex: count => count.toString(16).toUpperCase(),
  numberInDash: count => `- ${count} -`,
  ordinal: count => `${count}${ordinalEnding(count)}`,
  cardinalText: count => capitalized(wordsOf(count)),
  ordinalText: count => capitalized(ordinalWordsOf(count)),
}

/** Undefined for a format that is not known here: a wrong label is worse than none. */
export function formatCount(count: number, format: string): string | undefined {
  if (/^0*1$/.test(format)) return String(count).padStart(format.length, '0')
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]!(count) : undefined
}

const LATIN = [...'abcdefghijklmnopqrstuvwxyz']
const RUSSIAN = [...'абвгдежзиклмнопрстуфхцчшщыэюя'] // ECMA-376 part 1, §17.18.59
const MOST_LETTERS = 30

/** a to z, then aa to zz, as Word counts. */
function lettersOf(alphabet: readonly string[], count: number): string {
  if (count < 1 || count > MOST_LETTERS * alphabet.length) return String(count)
  const letter = alphabet[(count - 1) % alphabet.length]!
  return letter.repeat(Math.ceil(count / alphabet.length))
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function romanOf(count: number): string {
  if (count < 1 || count > 32_767) return String(count)
  let left = count
  let text = ''
  for (const [value, digits] of ROMAN)
    while (left >= value) {
      text += digits
      left -= value
    }
  return text
}

function ordinalEnding(count: number): string {
  const tens = count % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][count % 10] ?? 'th'
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function wordsOf(count: number): string {
  if (count < 0 || count > 999_999) return String(count)
  if (count < 20) return ONES[count]!
  if (count < 100) return joined(TENS[Math.floor(count / 10)]!, '-', count % 10)
  if (count < 1000) return joined(`${ONES[Math.floor(count / 100)]!} hundred`, ' ', count % 100)
  return joined(`${wordsOf(Math.floor(count / 1000))} thousand`, ' ', count % 1000)
}

function joined(first: string, joint: string, rest: number): string {
  return rest === 0 ? first : `${first}${joint}${wordsOf(rest)}`
}

const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

function ordinalWordsOf(count: number): string {
  return wordsOf(count).replace(
    /[a-z]+$/,
    last => ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`,
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
