import { type PictureFacts, pictureFacts } from '../../../../pictures/picture-facts.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'

export const EMU = 12_700 // in a point
const POINTS_PER_CM = 72 / 2.54

/** A picture of the workspace, as the log pins it. */
export interface PictureInput extends PictureFacts {
  readonly path: string
  readonly bytes: Uint8Array
}

export function pictureInput(editor: DocumentEditor, path: string): PictureInput {
  const bytes = editor.input(path)
  if (!bytes) throw invalid(`${editor.op} needs image: the path of a picture in the workspace`)
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string')
    throw invalid(
      `"${path}" cannot be put into a document: ${facts}. Word shows png, jpeg, gif, bmp and tiff; ask the person for one of these`,
    )
  if (facts.isTurned)
    editor.warn(`the camera turned "${path}" only by a note in the file, which Word may ignore.`)
  return { ...facts, path, bytes }
}

/** Centimetres as points. */
export function inPoints(width: number | undefined): number | undefined {
  return width === undefined ? undefined : width * POINTS_PER_CM
}

/** Adds the bytes as a part; returns the id by which `part` names it. */
export function addPicture(
  { manuscript: { package: own } }: DocumentEditor,
  part: string,
  { bytes, type, ending }: PictureInput,
): string {
  const name = own.freeName('word/media/image', ending)
  own.addPart(name, type, bytes)
  return own.addLink(part, 'image', name)
}

/** `12.3 × 4.5 cm` */
export function inCentimetres(width: number, height: number): string {
  return `${[width, height].map(side => (side / POINTS_PER_CM).toFixed(1)).join(' × ')} cm`
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
