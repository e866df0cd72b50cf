import { around, type PageBox } from './geometry.ts'
import type { PageView } from './page-view.ts'

export interface Word {
  readonly text: string
  readonly box: PageBox
  /** Height of its letters in points. */
  readonly size: number
  /** It does not run from left to right, as the note along a margin. */
  readonly isTurned: boolean
}

const MOST_CHARACTERS = 200_000 // of one page; a dense page of a newspaper has 30,000
const SOFT_HYPHEN = 0x02 // what the library gives for the hyphen at the end of a line

/** The words of a page in the order of the file, each with its box. */
export function wordsOf(view: PageView): { words: Word[]; isCut: boolean } {
  const { calls } = view.pdfium
  const text = calls.FPDFText_LoadPage(view.page)
  if (!text) return { words: [], isCut: false }
  try {
    const all = Math.max(0, calls.FPDFText_CountChars(text))
    const count = Math.min(all, MOST_CHARACTERS)
    return { words: collectWords(view, text, count), isCut: count < all }
  } finally {
    calls.FPDFText_ClosePage(text)
  }
}

/** All letters in the order of the file, at the cost of one call; undefined where that is more than is read of a page. */
export function rawTextOf({ pdfium, page }: PageView): string | undefined {
  const { calls } = pdfium
  const text = calls.FPDFText_LoadPage(page)
  if (!text) return ''
  const count = Math.max(0, calls.FPDFText_CountChars(text))
  const buffer = count > MOST_CHARACTERS ? 0 : pdfium.allocate(2 * (count + 1))
  try {
    if (!buffer) return undefined
    const written = Math.min(calls.FPDFText_GetText(text, 0, count, buffer), count + 1)
    return new TextDecoder('utf-16le').decode(pdfium.take(buffer, 2 * Math.max(0, written)))
  } finally {
    if (buffer) pdfium.free(buffer)
    calls.FPDFText_ClosePage(text)
  }
}

interface Letter {
  readonly text: string
  readonly box: PageBox
  readonly size: number
  readonly isTurned: boolean
}

function collectWords(view: PageView, text: number, count: number): Word[] {
  const words: Word[] = []
  let letters: Letter[] = []
  const end = () => {
    if (letters.length > 0) words.push(toWord(letters))
    letters = []
  }
  for (let index = 0; index < count; index++) {
    const letter = letterAt(view, text, index)
    if (letter === 'gap') end()
    else if (letter) {
      const last = letters.at(-1)
      if (last && !isNext(last, letter)) end()
      letters.push(letter)
    }
  }
  end()
  return words
}

/** A letter, a gap between words, or nothing to show. */
function letterAt(view: PageView, text: number, index: number): Letter | 'gap' | undefined {
  const { pdfium } = view
  const { calls } = pdfium
  const code = calls.FPDFText_GetUnicode(text, index)
  if (code === 0 || code === 0xfffe || code === 0xffff) return undefined
  if (code === SOFT_HYPHEN) return toLetter(view, text, index, '-')
  if (code <= 0x20 || code === 0xa0 || code === 0x3000) return 'gap'
  if (code < 0xd800 || code > 0xdfff) return toLetter(view, text, index, String.fromCodePoint(code))
  if (code > 0xdbff) return undefined
  const low = calls.FPDFText_GetUnicode(text, index + 1)
  return toLetter(view, text, index, String.fromCharCode(code, low))
}

function toLetter(view: PageView, text: number, index: number, shown: string): Letter | undefined {
  const { pdfium, toBox } = view
  const { calls } = pdfium
  const found = pdfium.floats(4, at => calls.FPDFText_GetLooseCharBox(text, index, at!))
  if (!found) return undefined
  const [left, top, right, bottom] = found as [number, number, number, number]
  if (![left, top, right, bottom].every(Number.isFinite)) return undefined
  const box = toBox(left, bottom, right, top)
  const turns = calls.FPDFText_GetCharAngle(text, index) / (Math.PI / 2)
  const isTurned = turns >= 0 && Math.abs(((((turns + view.rotation) % 4) + 4.5) % 4) - 0.5) > 0.1
  return { text: shown, box, size: Math.max(1, box.bottom - box.top), isTurned }
}

/** On the same line, and not far behind: the library joins what stands apart now and then. */
function isNext(last: Letter, letter: Letter): boolean {
  if (last.isTurned || letter.isTurned) return last.isTurned === letter.isTurned
  const overlap =
    Math.min(last.box.bottom, letter.box.bottom) - Math.max(last.box.top, letter.box.top)
  if (overlap < 0.3 * Math.min(last.size, letter.size)) return false
  const gap = letter.box.left - last.box.right
  return gap < 0.6 * Math.max(last.size, letter.size) && gap > -3 * last.size
}

function toWord(letters: readonly Letter[]): Word {
  return {
    text: letters.map(({ text }) => text).join(''),
    box: around(letters.map(({ box }) => box)),
    size: letters.reduce((sum, { size }) => sum + size, 0) / letters.length,
    isTurned: letters[0]!.isTurned,
  }
}
