import {
  encodeAttribute,
  type LiveNode,
  type LiveTree,
  uriOfPrefix,
} from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor } from '../../edit/block-anchor.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { modelFrom, refuseUnwritable } from '../../edit/new-paragraph.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { placeOf } from '../../story/places.ts'
import { textWidthAt } from '../../story/text-width.ts'
import {
  addPicture,
  baseName,
  EMU,
  inCentimetres,
  inPoints,
  pictureInput,
} from './picture-input.ts'

/** A picture in a paragraph of its own, at its own size or as wide as the text. */
export function insertImage(editor: DocumentEditor, args: DocumentArgs<'insert_image'>) {
  const picture = pictureInput(editor, args.image)
  const { alt = '' } = args
  refuseUnwritable(alt)
  const anchor = blockAnchorFor(editor, args)
  const most = textWidthAt(anchor.story, anchor.node) / 20
  const width = Math.min(inPoints(args.width) ?? picture.width, most)
  const height = (picture.height * width) / picture.width
  const id = editor.newId()
  const name = baseName(picture.path)
  editor.change(
    {
      kind: 'paragraph',
      place: placeOf(id),
      keys: [id],
      reads: [anchor.id],
      before: null,
      after: () => ({ text: alt === '' ? `⟦picture⟧ ${name}` : `⟦picture "${alt}"⟧` }),
      description: `${anchor.side} ${anchor.id}`,
    },
    () => {
      const link = addPicture(editor, anchor.story.part, picture)
      const node = paragraphFor(editor, anchor, args.align)
      const size = { width: Math.round(width * EMU), height: Math.round(height * EMU) }
      const drawing = { id: nextDrawingId(editor.manuscript), link, alt, name, ...size }
      anchor.story.tree.append(node, [runWith(anchor.story.tree, drawing)])
      putBeside(editor, anchor, node, id)
      return true
    },
  )
  if (alt === '')
    editor.warn(
      'the picture has no alt text; set_alt_text says what it shows to those who cannot see it.',
    )
  return {
    op: 'insert_image',
    message: `Inserted ${picture.path} ${anchor.side} ${anchor.id}, ${inCentimetres(width, height)}.`,
    paragraphs: [id],
  }
}

/** It looks like text around it, but belongs to no list or heading, and no line height cuts it off. */
function paragraphFor(
  editor: DocumentEditor,
  anchor: BlockAnchor,
  align: string | undefined,
): LiveNode {
  const { story } = anchor
  const { tree } = story
  const [node] = tree.fragment('<w:p/>')
  const neighbour = story.paragraph(anchor.id)
  const properties = neighbour && modelFrom(editor.manuscript, neighbour, 'after').properties
  if (properties) tree.append(node!, [tree.clone(properties)])
  const own = ensureProperties(tree, node!)
  for (const name of ['w:numPr', 'w:ind', 'w:pBdr', 'w:tabs', 'w:outlineLvl'])
    removeProperty(tree, own, name)
  const rule = tree.attribute(own.child('w:spacing'), 'w:lineRule')
  if (rule === 'exact') removeProperty(tree, own, 'w:spacing')
  if (align !== undefined) setProperty(tree, own, `<w:jc w:val="${encodeAttribute(align)}"/>`)
  return node!
}

function putBeside(
  editor: DocumentEditor,
  { story, node: anchor, side }: BlockAnchor,
  node: LiveNode,
  id: string,
): void {
  story.assign(node, id)
  if (side === 'before') story.tree.before(anchor, [node])
  else story.tree.after(anchor, [node])
  if (editor.tracking) trackInserted(story.tree, node, editor.tracking)
}

interface Drawing {
  readonly id: number
  readonly link: string
  readonly name: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

function runWith(tree: LiveTree, { id, link, name, alt, width, height }: Drawing): LiveNode {
  const words = `name="${encodeAttribute(name)}"${alt === '' ? '' : ` descr="${encodeAttribute(alt)}"`}`
  const size = `cx="${width}" cy="${height}"`
  const picture = `<pic:pic><pic:nvPicPr><pic:cNvPr id="${id}" ${words}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${encodeAttribute(link)}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`
  const [run] = tree.fragment(
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/><wp:docPr id="${id}" ${words}/><wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr><a:graphic><a:graphicData>${picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
  )
  const [data] = run!.all('a:graphicData')
  tree.setAttribute(data!, 'uri', uriOfPrefix('pic', tree.isStrict))
  return run!
}

/** Drawings have ids over all parts. */
export function nextDrawingId({ stories }: Manuscript): number {
  let highest = 0
  for (const { tree, root } of stories)
    for (const node of root.all('wp:docPr'))
      highest = Math.max(highest, Number(tree.attribute(node, 'id')) || 0)
  return highest + 1
}
