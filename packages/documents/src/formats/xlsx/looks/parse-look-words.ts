/** The words of `describeLook` as the fields of a style; unknown words stay as they are, to be refused by name. */
export function parseLookWords(words: string): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const border: Record<string, string> = {}
  for (const item of splitWords(words)) {
    const own = readItem(item)
    if (own[0] === 'border' && typeof own[1] === 'object') Object.assign(border, own[1])
    else fields[own[0]] = own[1]
  }
  return Object.keys(border).length > 0 ? { ...fields, border } : fields
}

/** At commas, except inside quotes and brackets. */
function splitWords(words: string): string[] {
  const items: string[] = []
  let item = ''
  let isQuoted = false
  for (let at = 0; at < words.length; at++) {
    const letter = words[at]!
    if (letter === '\\' && isQuoted) {
      item += letter + (words[++at] ?? '')
      continue
    }
    if (letter === '"') isQuoted = !isQuoted
    if (letter === ',' && !isQuoted) {
      items.push(item)
      item = ''
    } else item += letter
  }
  return [...items, item].map(own => own.trim()).filter(own => own !== '')
}

type Item = readonly [string, unknown]

const FIXED: Readonly<Record<string, Item>> = {
  bold: ['bold', true],
  'not bold': ['bold', false],
  italic: ['italic', true],
  'not italic': ['italic', false],
  underlined: ['underline', true],
  'not underlined': ['underline', false],
  'struck out': ['strike', true],
  'not struck out': ['strike', false],
  superscript: ['script', 'superscript'],
  subscript: ['script', 'subscript'],
  'normal script': ['script', null],
  'no fill': ['fill', null],
  'no border': ['border', null],
  general: ['align', 'general'],
  left: ['align', 'left'],
  center: ['align', 'center'],
  centered: ['align', 'center'],
  right: ['align', 'right'],
  repeated: ['align', 'fill'],
  justified: ['align', 'justify'],
  'centered across': ['align', 'centerContinuous'],
  distributed: ['align', 'distributed'],
  bottom: ['valign', 'bottom'],
  middle: ['valign', 'center'],
  top: ['valign', 'top'],
  'justified vertically': ['valign', 'justify'],
  'distributed vertically': ['valign', 'distributed'],
  wrapped: ['wrap', true],
  'not wrapped': ['wrap', false],
  'shrunk to fit': ['shrink', true],
  'not shrunk': ['shrink', false],
  stacked: ['rotate', 'stacked'],
  'left to right': ['reading', 'left to right'],
  'right to left': ['reading', 'right to left'],
  'reading by context': ['reading', null],
  locked: ['locked', true],
  unlocked: ['locked', false],
  'formulas hidden': ['hidden', true],
  'formulas shown': ['hidden', false],
}

function readItem(item: string): Item {
  const fixed = Object.hasOwn(FIXED, item.toLowerCase()) ? FIXED[item.toLowerCase()] : undefined
  if (fixed) return fixed
  const size = /^([\d.]+) ?pt$/i.exec(item)
  if (size) return ['size', Number(size[1])]
  const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(item) ?? []
  switch (word.toLowerCase()) {
    case 'style':
      return ['named', unquoted(rest)]
    case 'font':
      return ['font', unquoted(rest)]
    case 'format':
      return ['number_format', unquoted(rest)]
    case 'color':
      return ['color', rest]
    case 'fill':
      return ['fill', fillOf(rest)]
    case 'border':
      return ['border', borderOf(rest)]
    case 'indent':
      return ['indent', Number(rest)]
    case 'rotated':
      return ['rotate', Number(rest)]
    case 'underlined':
      return ['underline', rest]
    default:
      return [item, true]
  }
}

function unquoted(text: string): unknown {
  try {
    return text.startsWith('"') ? (JSON.parse(text) as unknown) : text
  } catch {
    return text
  }
}

function fillOf(words: string): unknown {
  const gradient = /^gradient ([^:]+): (.+)$/.exec(words)
  if (gradient) {
    const stops = gradient[2]!.split(' to ').map(stop => {
      const [color = '', at = ''] = stop.split(' at ')
      return { color, at: Number(at) }
    })
    const [, path] = /^path (.+)$/.exec(gradient[1]!) ?? []
    if (path) return { gradient: { stops, path: path.split(' ').map(Number) } }
    return { gradient: { stops, degree: Number(gradient[1]) } }
  }
  const pattern =
    /^([a-z]+(?:Gray|Horizontal|Vertical|Down|Up|Grid|Trellis)|gray\d+) (.+?)(?: on (.+))?$/.exec(
      words,
    )
  if (!pattern) return words
  const [, name, color, back] = pattern
  return { pattern: name, ...(color !== 'automatic' && { color }), ...(back && { back }) }
}

const SIDES: readonly (readonly [string, string])[] = [
  ['diagonal up ', 'up'],
  ['diagonal down ', 'down'],
  ['left ', 'left'],
  ['right ', 'right'],
  ['top ', 'top'],
  ['bottom ', 'bottom'],
  ['outline ', 'outline'],
  ['inside ', 'inside'],
]

function borderOf(words: string): Readonly<Record<string, string>> {
  const side = SIDES.find(([start]) => words.startsWith(start))
  return side ? { [side[1]]: words.slice(side[0].length) } : { all: words }
}
