import { codecFor } from '../text/decode/codec.ts'

/** Groups whose text is not the document's. */
const HIDDEN = new Set(
  'fonttbl colortbl stylesheet info pict object themedata colorschememapping latentstyles datastore generator listtable listoverridetable rsidtbl xmlnstbl header footer headerl headerr footerl footerr fldinst'.split(
    ' ',
  ),
)
const SHOWN: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: ' | ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}
const TOKEN =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\s\S]/gi

/** The text of a document in RTF, without its styles. */
export function rtfText(bytes: Uint8Array): string {
  const codec = codecFor('windows-1252')
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const groups: boolean[] = [] // whether each open group is hidden
  let isHidden = false
  let skip = 0 // characters that stand in for one in Unicode
  let text = ''
  const add = (shown: string) => {
    if (isHidden) return
    const left = shown.slice(skip)
    skip = Math.max(0, skip - shown.length)
    text += left
  }
  for (const [, word, number, byte, symbol, brace, plain] of source.matchAll(TOKEN)) {
    if (brace === '{') groups.push(isHidden)
    else if (brace === '}') {
      isHidden = groups.pop() ?? false
      skip = 0
    } else if (symbol === '*') isHidden = true
    else if (symbol === '~') add(' ')
    else if (symbol !== undefined) {
      if ('\\{}'.includes(symbol)) add(symbol)
    } else if (word === 'u' && number !== undefined) {
      add(String.fromCharCode((Number(number) + 65_536) % 65_536))
      skip = 1
    } else if (word !== undefined) {
      if (HIDDEN.has(word)) isHidden = true
      else if (SHOWN[word] !== undefined) add(SHOWN[word])
    } else if (byte !== undefined) add(codec.decode(Uint8Array.of(Number.parseInt(byte, 16))))
    else if (plain !== undefined) add(plain)
  }
  return text
}
