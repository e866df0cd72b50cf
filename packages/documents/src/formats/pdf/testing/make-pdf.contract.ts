/** Text at a place, in points from the top left corner. */
export interface PlacedText {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
}

export interface MadePage {
  readonly texts?: readonly PlacedText[]
  /** Lines by their ends: x1, y1, x2, y2. */
  readonly lines?: readonly (readonly [number, number, number, number])[]
  readonly rotate?: 90 | 180 | 270
  /** The text runs up the unturned page, as a program writes a landscape page. */
  readonly isSideways?: boolean
  /** Further entries of the page, such as /Annots. */
  readonly more?: string
}

export const WIDTH = 612
export const HEIGHT = 792

/** A PDF of pages with Helvetica; `objects` are added with numbers from 10,000. */
export function makePdf(
  pages: readonly MadePage[],
  { catalog = '', objects = [] as readonly string[] } = {},
): Uint8Array {
  const bodies = new Map<number, string>()
  const kids = pages.map((_, index) => `${10 + 2 * index} 0 R`).join(' ')
  bodies.set(1, `<</Type /Catalog /Pages 2 0 R ${catalog}>>`)
  bodies.set(2, `<</Type /Pages /Kids [${kids}] /Count ${pages.length}>>`)
  bodies.set(3, '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>')
  for (const [index, page] of pages.entries()) {
    const content = contentOf(page)
    const rotate = page.rotate ? `/Rotate ${page.rotate}` : ''
    bodies.set(
      10 + 2 * index,
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${11 + 2 * index} 0 R /Resources <</Font <</F1 3 0 R>>>> ${rotate} ${page.more ?? ''}>>`,
    )
    bodies.set(11 + 2 * index, `<</Length ${content.length}>>\nstream\n${content}\nendstream`)
  }
  for (const [index, body] of objects.entries()) bodies.set(10_000 + index, body)
  return toFile(bodies)
}

/** A page whose stamp is a drawing that draws itself twice, or that stands on the page itself. */
export function recursivePdf(place: 'stamp' | 'page' = 'stamp'): Uint8Array {
  const own = '/F0 Do /F0 Do'
  const form = `<</Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources <</XObject <</F0 10000 0 R>>>> /Length ${own.length}>>\nstream\n${own}\nendstream`
  if (place === 'stamp') {
    const stamp = '<</Type /Annot /Subtype /Stamp /Rect [0 0 600 700] /AP <</N 10000 0 R>>>>'
    return makePdf([{ more: `/Annots [${stamp}]` }], { objects: [form] })
  }
  const sound = Buffer.from(makePdf([{}], { objects: [form] })).toString('latin1')
  const drawn = sound
    .replace('/Resources <<', '/Resources <</XObject <</F0 10000 0 R>> ')
    .replace('<</Length 5>>\nstream\n0.5 w', '<</Length 6>>\nstream\n/F0 Do')
  return Buffer.from(drawn, 'latin1') // the library finds objects that have moved
}

function contentOf({ texts = [], lines = [], isSideways = false }: MadePage): string {
  const drawn = lines.map(([x1, y1, x2, y2]) => `${x1} ${HEIGHT - y1} m ${x2} ${HEIGHT - y2} l S`)
  const written = texts.map(({ x, y, text, size = 10 }) => {
    const matrix = isSideways ? `0 1 -1 0 ${y + size} ${x}` : `1 0 0 1 ${x} ${HEIGHT - y - size}`
    return `BT /F1 ${size} Tf ${matrix} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`
  })
  return ['0.5 w', ...drawn, ...written].join('\n')
}

function toFile(bodies: ReadonlyMap<number, string>): Uint8Array {
  let file = '%PDF-1.7\n'
  const offsets = new Map<number, number>()
  for (const [number, body] of bodies) {
    offsets.set(number, file.length)
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = file.length
  file += 'xref\n'
  for (const [number, offset] of offsets)
    file += `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  const size = Math.max(...bodies.keys()) + 1
  file += `trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** The same numbers each time. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const WORDS =
  'time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work number night point home water room mother area money story fact month lot right study book'.split(
    ' ',
  )

export function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]!).join(' ')
}
