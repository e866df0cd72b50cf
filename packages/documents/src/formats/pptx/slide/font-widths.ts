/** Widths of the characters from space to tilde, in thousandths of the size, of Arial and of Times New Roman. */
const SANS =
  '278,278,355,556,556,889,667,191,333,333,389,584,278,333,278,278,556,556,556,556,556,556,556,556,556,556,278,278,584,584,584,556,1015,667,667,722,722,667,611,778,722,278,500,667,556,833,722,778,667,778,722,667,611,722,667,944,667,667,611,278,278,278,469,556,333,556,556,500,556,556,278,556,556,222,222,500,222,833,556,556,556,556,333,500,278,556,500,722,500,500,500,334,260,334,584'
const SERIF =
  '250,333,408,500,500,833,778,180,333,333,500,564,250,333,250,278,500,500,500,500,500,500,500,500,500,500,278,278,564,564,564,444,921,722,667,667,722,611,556,722,722,333,389,722,611,889,722,722,556,722,667,556,611,722,722,944,722,722,611,333,278,333,469,500,333,444,500,444,500,444,333,500,500,278,278,500,278,778,500,500,500,500,333,389,278,500,500,722,500,500,444,480,200,480,541'
const TABLES = { sans: SANS.split(',').map(Number), serif: SERIF.split(',').map(Number) }

interface FontMetrics {
  readonly table: readonly number[]
  /** How much wider or narrower it runs than the table. */
  readonly scale: number
  /** The height of a line, in sizes. */
  readonly line: number
}

const FONTS: readonly (readonly [RegExp, keyof typeof TABLES, number, number])[] = [
  [/arial narrow|liberation sans narrow/i, 'sans', 0.82, 1.15],
  [/calibri|carlito/i, 'sans', 0.91, 1.22],
  [/gill sans|corbel|candara/i, 'sans', 0.94, 1.2],
  [/verdana|dejavu sans/i, 'sans', 1.16, 1.21],
  [/century gothic|trebuchet|segoe ui|tahoma/i, 'sans', 1.04, 1.2],
  [/garamond/i, 'serif', 0.95, 1.13],
  [/georgia|cambria|book antiqua|palatino|century/i, 'serif', 1.1, 1.17],
  [/times|liberation serif/i, 'serif', 1, 1.15],
]
const BOLD = 1.06

function metricsOf(font: string): FontMetrics {
  const [, table = 'sans', scale = 1, line = 1.15] =
    FONTS.find(([pattern]) => pattern.test(font)) ?? []
  return { table: TABLES[table], scale, line }
}

/** The width of a text in points. */
export function textWidth(text: string, font: string, size: number, isBold: boolean): number {
  const { table, scale } = metricsOf(font)
  let sum = 0
  for (const char of text) sum += widthOf(char, table)
  return (sum * size * scale * (isBold ? BOLD : 1)) / 1000
}

/** Letters of Asia are as wide as high; other letters run like the average one. */
function widthOf(char: string, table: readonly number[]): number {
  const code = char.codePointAt(0)!
  if (code === 9) return 2000
  if (code >= 32 && code < 127) return table[code - 32]!
  return code >= 0x2e80 ? 1000 : 556
}

export function lineHeight(font: string, size: number): number {
  return metricsOf(font).line * size
}
