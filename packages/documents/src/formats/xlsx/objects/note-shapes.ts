import type { CellAddress } from '../cell/address.ts'

/** The drawing in which old notes have their boxes; it is often no XML, so it is edited as text. */
export const EMPTY_NOTE_DRAWING = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype></xml>`

const SHAPE = /<((?:[\w.-]+:)?shape)\b[^>]*>[\s\S]*?<\/\1\s*>/g
const IDS_IN_A_BLOCK = 1024
const LINE_HEIGHT = 13 // points
const LETTERS_IN_A_LINE = 26

/** With a box for the note of that cell; undefined where the drawing has no end. */
export function withNoteShape(
  drawing: string,
  { row, column }: CellAddress,
  text: string,
): string | undefined {
  const end = /<\/(?:[\w.-]+:)?xml\s*>\s*$/i.exec(drawing)
  if (!end) return undefined
  const prefix = (uri: string, usual: string) =>
    new RegExp(`xmlns:([\\w.-]+)\\s*=\\s*["']${uri}["']`).exec(drawing)?.[1] ?? usual
  const v = prefix('urn:schemas-microsoft-com:vml', 'v')
  const o = prefix('urn:schemas-microsoft-com:office:office', 'o')
  const x = prefix('urn:schemas-microsoft-com:office:excel', 'x')
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS_IN_A_LINE)), 0)
  const rows = Math.min(Math.max(4, lines + 1), 20)
  const height = rows * LINE_HEIGHT
  const anchor = [column, 15, Math.max(row - 2, 0), 10, column + 2, 31, row - 2 + rows, 9]
  if (row === 1) anchor[6] = rows
  const shape = `<${v}:shape id="_x0000_s${nextId(drawing)}" type="#_x0000_t202" style="position:absolute;margin-left:60pt;margin-top:2pt;width:110pt;height:${height}pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" ${o}:insetmode="auto"><${v}:fill color2="#ffffe1"/><${v}:shadow on="t" color="black" obscured="t"/><${v}:path ${o}:connecttype="none"/><${v}:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></${v}:textbox><${x}:ClientData ObjectType="Note"><${x}:MoveWithCells/><${x}:SizeWithCells/><${x}:Anchor>${anchor.join(', ')}</${x}:Anchor><${x}:AutoFill>False</${x}:AutoFill><${x}:Row>${row - 1}</${x}:Row><${x}:Column>${column - 1}</${x}:Column></${x}:ClientData></${v}:shape>`
  return drawing.slice(0, end.index) + shape + drawing.slice(end.index)
}

/** Without the box of that cell's note. */
export function withoutNoteShape(drawing: string, { row, column }: CellAddress): string {
  return drawing.replace(SHAPE, shape => (isNoteOf(shape, row, column) ? '' : shape))
}

/** Whether anything is drawn in it. */
export function hasShapes(drawing: string): boolean {
  return /<(?:[\w.-]+:)?(?:shape|group|rect|oval|line|image)\b/.test(drawing)
}

function isNoteOf(shape: string, row: number, column: number): boolean {
  if (!/ObjectType\s*=\s*["']Note["']/.test(shape)) return false
  const at = (name: string) =>
    Number(new RegExp(`<(?:[\\w.-]+:)?${name}>\\s*(\\d+)`).exec(shape)?.[1] ?? Number.NaN)
  return at('Row') === row - 1 && at('Column') === column - 1
}

function nextId(drawing: string): number {
  const block = Number(/idmap\b[^>]*\bdata\s*=\s*["'](\d+)/.exec(drawing)?.[1] ?? 1)
  const used = [...drawing.matchAll(/_x0000_s(\d+)/g)].map(([, id]) => Number(id))
  const own = used.filter(id => Math.floor(id / IDS_IN_A_BLOCK) === block)
  return Math.max(block * IDS_IN_A_BLOCK, ...own) + 1
}
