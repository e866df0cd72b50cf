import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { deleteRun } from '../../edit/tracked-text.ts'
import { dropUnused, linksIn } from './drop-unused.ts'
import { type FoundPicture, findPicture } from './find-picture.ts'
import { nextDrawingId } from './insert-image.ts'
import {
  addPicture,
  baseName,
  EMU,
  inCentimetres,
  inPoints,
  type PictureInput,
  pictureInput,
} from './picture-input.ts'
import { writeAlt } from './set-alt-text.ts'

/** Another picture in the frame of one: as large as fits, in its own proportions. */
export function replaceImage(editor: DocumentEditor, args: DocumentArgs<'replace_image'>) {
  const picture = pictureInput(editor, args.image)
  const { alt } = args
  if (alt !== undefined) refuseUnwritable(alt)
  const width = inPoints(args.width)
  const found = findPicture(editor, args)
  const { paragraph, node, place, label } = found
  const { tree, part } = paragraph.story
  refuseGroups(tree, node)
  let size = ''
  editor.change(
    {
      kind: 'structure',
      place,
      keys: [paragraph.id],
      before: { text: `⟦${label}⟧` },
      after: () => ({ text: `⟦picture${alt ? ` "${alt}"` : ''}⟧ ${baseName(picture.path)}` }),
      description: `${picture.path} in its place`,
    },
    () => {
      const link = addPicture(editor, part, picture)
      const shown = editor.tracking ? trackedCopy(editor, found) : node
      const before = linksIn(tree, shown)
      point(tree, shown, link)
      dropUnused(editor.manuscript.package, part, tree, before)
      const points = resize(tree, shown, picture, width)
      if (points) size = `, ${inCentimetres(points.width, points.height)}`
      if (alt !== undefined) writeAlt(tree, shown, alt)
      return true
    },
  )
  return {
    op: 'replace_image',
    message: `Put ${picture.path} in place of the picture in ${paragraph.id}${size}.`,
  }
}

/** Several pictures in one drawing cannot be told apart. */
function refuseGroups(tree: LiveTree, node: LiveNode): void {
  const shown = new Set([...node.all('a:blip')].map(blip => tree.attribute(blip, 'r:embed')))
  if (shown.size > 1)
    throw invalid('that drawing is a group of several pictures; ungroup it in Word first')
}

/** The old picture as a tracked deletion, and the same frame behind it as an insertion. */
function trackedCopy(editor: DocumentEditor, { paragraph, node, run }: FoundPicture): LiveNode {
  const { tree } = paragraph.story
  const alone = run.children.filter(({ name }) => name !== '' && name !== 'w:rPr')
  if (node.name !== 'w:drawing' || alone.length > 1 || run.parent?.name === 'w:ins') {
    editor.untracked('a picture in place of this one')
    return node
  }
  const copy = tree.clone(run)
  const [wrapper] = tree.fragment(`<w:ins ${editor.tracking!.attributes()}/>`)
  tree.append(wrapper!, [copy])
  tree.after(run, [wrapper!])
  deleteRun(tree, run, editor.tracking!)
  const drawing = copy.child('w:drawing')!
  for (const own of drawing.all('wp:docPr'))
    tree.setAttribute(own, 'id', String(nextDrawingId(editor.manuscript)))
  return drawing
}

/** Every form of the drawing shows the new picture, whole. */
function point(tree: LiveTree, node: LiveNode, link: string): void {
  for (const blip of node.all('a:blip')) {
    tree.setAttribute(blip, 'r:embed', link)
    tree.setAttribute(blip, 'r:link', undefined)
    const more = blip.child('a:extLst') // may hold the same picture as SVG, which would be shown instead
    if (more) tree.remove(more)
    const crop = blip.parent?.child('a:srcRect')
    if (crop) tree.remove(crop)
  }
  for (const data of node.all('v:imagedata')) {
    tree.setAttribute(data, 'r:id', link)
    for (const side of ['cropleft', 'cropright', 'croptop', 'cropbottom'])
      tree.setAttribute(data, side, undefined)
  }
}

/** Undefined where the drawing names no size of its own. */
function resize(
  tree: LiveTree,
  node: LiveNode,
  picture: PictureInput,
  width: number | undefined,
): { readonly width: number; readonly height: number } | undefined {
  const [extent] = node.all('wp:extent')
  const frame = {
    width: Number(tree.attribute(extent, 'cx')) / EMU,
    height: Number(tree.attribute(extent, 'cy')) / EMU,
  }
  if (!(frame.width > 0 && frame.height > 0)) return undefined
  const scale =
    width === undefined
      ? Math.min(frame.width / picture.width, frame.height / picture.height)
      : width / picture.width
  const size = { width: picture.width * scale, height: picture.height * scale }
  const [cx, cy] = [size.width, size.height].map(side => String(Math.round(side * EMU)))
  for (const own of node.all('wp:extent')) {
    tree.setAttribute(own, 'cx', cx)
    tree.setAttribute(own, 'cy', cy)
  }
  for (const own of node.all('pic:spPr')) {
    const ext = own.child('a:xfrm')?.child('a:ext')
    if (!ext) continue
    tree.setAttribute(ext, 'cx', cx)
    tree.setAttribute(ext, 'cy', cy)
  }
  for (const shape of node.all('v:shape')) {
    const style = tree.attribute(shape, 'style')
    const resized = style
      ?.replace(/(^|;)\s*width:[^;]*/, `$1width:${size.width.toFixed(1)}pt`)
      .replace(/(^|;)\s*height:[^;]*/, `$1height:${size.height.toFixed(1)}pt`)
    if (resized !== undefined) tree.setAttribute(shape, 'style', resized)
  }
  return size
}
