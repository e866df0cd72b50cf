import type { Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../../format.ts'
import { type PictureFacts, pictureFacts } from '../../../../../pictures/picture-facts.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { cellName, placeOf } from '../../../cell/address.ts'
import {
  addAnchored,
  type DrawnObject,
  dropLink,
  ensureDrawing,
  findDrawing,
  type PixelSize,
  pictureXml,
  removeDrawn,
} from '../../../objects/drawing.ts'
import { LiveBook } from '../../../objects/live-book.ts'
import { freeObjectName } from '../../../objects/object-names.ts'
import { textField } from '../../arguments.ts'
import type { Editor } from '../../editor.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { optionalSize, optionalText, wrong } from '../object-fields.ts'
import { anchorField, MOST_PIXELS, worksheetField } from './charts.ts'
import { chosenObject, namesOf, withName } from './drawn-fields.ts'
import { moveDrawn } from './edit-chart.ts'

const MOST_WIDTH = 640 // pixels, unless a size is asked for
const PIXELS_PER_POINT = 96 / 72

interface GivenPicture extends PictureFacts {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A picture of the workspace at a cell, in its own size or one that fits a screen. */
export function addImage(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = worksheetField(book, fields)
  const picture = pictureField(editor, fields)
  const at = anchorField(sheet, fields) ?? { row: 1, column: 1 }
  const size = fittingSize(fields, picture)
  const alt = optionalText(fields, 'alt', 1000) ?? ''
  const asked = optionalText(fields, 'name', 255)
  const taken = namesOf(book, sheet)
  if (asked !== undefined && taken.includes(asked.toLowerCase()))
    throw new Refusal('CONFLICT', `there is ${JSON.stringify(asked)} on the sheet already`)
  const name =
    asked ??
    editor.resolve('name', () =>
      freeObjectName('Picture ', own => taken.includes(own.toLowerCase())),
    )
  const cell = cellName(at.row, at.column)
  const place = `${placeOf(sheet.name, cell)} picture ${picture.path}`
  const result = {
    op: 'add_image',
    sheet: sheet.name,
    picture: name,
    cell,
    message: `Added ${picture.path} at ${placeOf(sheet.name, cell)} as ${name}, ${Math.round(size.width)} × ${Math.round(size.height)} pixels.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const drawing = ensureDrawing(live, live.sheet(sheet))
    const link = addMedia(live, drawing.part, picture)
    addAnchored(drawing, at, size, id => pictureXml(id, name, alt, link, size))
  })
  editor.recordObject(place, {
    before: null,
    after: { text: `${name}: ${picture.path}${alt === '' ? '' : `, ${alt}`}` },
    objects: [{ kind: 'drawing', sheet: sheet.id, name }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

/** Another picture in the same frame. */
export function replaceImage(editor: Editor, fields: Fields): OperationResult {
  const picture = pictureField(editor, fields)
  return changing(editor, fields, `shows ${picture.path}`, (live, sheet, own) => {
    const drawing = findDrawing(live, live.sheet(sheet))!
    const { tree } = drawing
    for (const blip of own.node.all('a:blip')) {
      tree.setAttribute(blip, 'r:embed', addMedia(live, drawing.part, picture))
      tree.setAttribute(blip, 'r:link', undefined)
      const more = blip.child('a:extLst') // may hold the same picture as SVG, which would be shown instead
      if (more) tree.remove(more)
      const crop = blip.parent?.child('a:srcRect')
      if (crop) tree.remove(crop)
    }
    describe(live, sheet, own, fields)
    dropLink(live, drawing, own.link)
    return picture.path
  })
}

/** Another cell, another size or another description. */
export function moveImage(editor: Editor, fields: Fields): OperationResult {
  const given = ['cell', 'width', 'height', 'alt', 'new_name'].filter(
    own => fields[own] !== undefined,
  )
  if (given.length === 0) throw wrong(fields, 'needs cell, width, height, alt or new_name')
  return changing(editor, fields, 'was moved', (live, sheet, own) => {
    describe(live, sheet, own, fields)
    moveDrawn(live, sheet, fields, own)
    return given.map(name => `${name} ${String(fields[name])}`).join(', ')
  })
}

export function removeImage(editor: Editor, fields: Fields): OperationResult {
  return changing(editor, fields, 'was removed', (live, sheet, own) => {
    removeDrawn(live, live.sheet(sheet), own)
    return undefined
  })
}

function changing(
  editor: Editor,
  fields: Fields,
  done: string,
  make: (live: LiveBook, sheet: Sheet, own: DrawnObject) => string | undefined,
): OperationResult {
  const book = settledBook(editor)
  const sheet = worksheetField(book, fields)
  const now = new LiveBook(book)
  const named = withName(editor, now, sheet, fields, 'picture')
  const found = chosenObject(now, sheet, named, 'picture')
  const place = `${placeOf(sheet.name, found.name)} picture`
  const result = {
    op: String(fields.op),
    sheet: sheet.name,
    picture: found.name,
    message: `${found.name} on ${JSON.stringify(sheet.name)} ${done}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const after = changeParts(editor, live =>
    make(live, sheet, chosenObject(live, sheet, named, 'picture')),
  )
  const at = found.cell ? ` at ${found.cell}` : ''
  const renamed = optionalText(fields, 'new_name', 255)
  const names = renamed === undefined ? [found.name] : [found.name, renamed]
  editor.recordObject(place, {
    before: { text: `${found.name}${at}${found.alt === '' ? '' : `, ${found.alt}`}` },
    after: after === undefined ? null : { text: `${found.name}: ${after}` },
    objects: names.map(name => ({ kind: 'drawing', sheet: sheet.id, name })),
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

function describe(live: LiveBook, sheet: Sheet, own: DrawnObject, fields: Fields): void {
  const { tree } = findDrawing(live, live.sheet(sheet))!
  const [named] = own.node.all('xdr:cNvPr')
  const alt = optionalText(fields, 'alt', 1000)
  const name = optionalText(fields, 'new_name', 255)
  if (named && alt !== undefined) tree.setAttribute(named, 'descr', alt)
  if (named && name !== undefined) tree.setAttribute(named, 'name', name)
}

/** A picture of the workspace, as the log pins it. */
function pictureField(editor: Editor, fields: Fields): GivenPicture {
  const path = textField(fields, 'image', 'images/logo.png')
  const bytes = editor.input(path)
  if (!bytes) throw wrong(fields, 'image is the path of a picture in the workspace')
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string')
    throw wrong(
      fields,
      `"${path}" cannot be put into a workbook: ${facts}. Excel shows png, jpeg, gif, bmp and tiff; ask the person for one of these`,
    )
  return { ...facts, path, bytes }
}

/** The sides keep their proportion unless both are given. */
function fittingSize(fields: Fields, { width, height }: GivenPicture): PixelSize {
  const own = { width: width * PIXELS_PER_POINT, height: height * PIXELS_PER_POINT }
  const wide = optionalSize(fields, 'width', MOST_PIXELS)
  const high = optionalSize(fields, 'height', MOST_PIXELS)
  if (wide !== undefined && high !== undefined) return { width: wide, height: high }
  const scale =
    wide !== undefined
      ? wide / own.width
      : high !== undefined
        ? high / own.height
        : Math.min(1, MOST_WIDTH / own.width)
  return { width: Math.max(1, own.width * scale), height: Math.max(1, own.height * scale) }
}

function addMedia(live: LiveBook, part: string, { bytes, type, ending }: GivenPicture): string {
  const same = live.package.names.find(name => {
    if (!name.toLowerCase().startsWith(`${live.folder}media/`)) return false
    const held = live.package.bytesOf(name)
    return held.ok && Buffer.compare(held.value, bytes) === 0
  })
  const media = same ?? live.package.freeName(`${live.folder}media/image`, ending)
  if (same === undefined) live.package.addPart(media, type, bytes)
  return live.package.addLink(part, 'image', media)
}
