import { at, encodeAttribute, removeWithOwn } from '../../../../opc/index.ts'
import { type PictureFacts, pictureFacts } from '../../../../pictures/picture-facts.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { shapeOf, slideOf } from '../../edit/fields.ts'
import { addShape } from '../../edit/placeholders.ts'
import { EMU } from '../../parts/values.ts'
import type { ShapeBox } from '../../slide/page.ts'
import { addingShape, type BoxArguments, boxOf, boxXml, middleOf } from './box-fields.ts'

interface GivenPicture extends PictureFacts {
  readonly path: string
  readonly bytes: Uint8Array
}

/** A picture of the workspace, as the log pins it. */
function pictureOf(editor: DeckEditor, path: string): GivenPicture {
  const bytes = editor.input(path)
  if (!bytes)
    throw wrongArgument(`${editor.op} needs image: the path of a picture in the workspace`)
  const facts = pictureFacts(bytes)
  if (typeof facts === 'string')
    throw wrongArgument(
      `"${path}" cannot be put into a deck: ${facts}. PowerPoint shows png, jpeg, gif, bmp and tiff; ask the person for one of these`,
    )
  return { ...facts, path, bytes }
}

/** A picture at its own size, or as large as the middle of the slide allows. */
export function addImage(editor: DeckEditor, args: DeckArgs<'add_image'>) {
  const picture = pictureOf(editor, args.image)
  const slide = slideOf(editor, args)
  const id = editor.newId(slide.page)
  const { alt = '' } = args
  const box = fittingBox(args, picture, middleOf(slide))
  const name = 'Picture'
  addingShape(editor, slide, id, name, {
    kind: 'shape',
    text: alt === '' ? picture.path : alt,
    make: () => {
      const link = addPicture(editor, slide.page.part, picture)
      const { tree, shapeTree } = slide.page
      const [node] = tree.fragment(
        `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="${name}" descr="${encodeAttribute(alt)}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${link}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>${boxXml(box)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`,
      )
      addShape(tree, shapeTree, node!)
    },
  })
  if (alt === '')
    editor.warn(
      'The picture has no alt text; set_alt_text says what it shows to those who cannot see it.',
    )
  return { op: 'add_image', message: `Added ${picture.path} to slide ${slide.index}.`, shape: id }
}

/** The sides keep their proportion unless both are given. */
function fittingBox(args: BoxArguments, { width, height }: GivenPicture, room: ShapeBox): ShapeBox {
  const shrink = Math.min(1, room.width / (width * EMU), room.height / (height * EMU))
  const ratio = height / width
  const { width: wide, height: high } = args
  const own = {
    width: high !== undefined ? (high * EMU) / ratio : width * EMU * shrink,
    height: wide !== undefined ? wide * EMU * ratio : height * EMU * shrink,
  }
  const rounded = { width: Math.round(own.width), height: Math.round(own.height) }
  return boxOf(args, { ...room, ...rounded })
}

function addPicture({ deck }: DeckEditor, part: string, { bytes, type, ending }: GivenPicture) {
  const name = deck.package.freeName('ppt/media/image', ending)
  deck.package.addPart(name, type, bytes)
  return deck.package.addLink(part, 'image', name)
}

/** Another picture in the same place, as large as the box and as little cut as it can be. */
export function replaceImage(editor: DeckEditor, args: DeckArgs<'replace_image'>) {
  const picture = pictureOf(editor, args.image)
  const slide = slideOf(editor, args)
  const shape = shapeOf(editor, slide, args.shape)
  const { tree, part } = slide.page
  const blip = at(shape.node, 'p:blipFill', 'a:blip')
  if (shape.kind !== 'picture' || !blip)
    throw new Refusal('CONFLICT', `${shape.key} (${shape.name}) is a ${shape.kind}, and no picture`)
  const ref = `@${slide.key}/${shape.key}`
  let isMade = false
  editor.change(
    {
      kind: 'shape',
      place: editor.deck.placeOf(ref),
      keys: [ref],
      reads: [`@${slide.key}`],
      before: { text: shape.alt },
      after: () => ({ text: isMade ? picture.path : shape.alt }),
      description: 'another picture',
      atomic: true,
    },
    () => {
      const old = tree.attribute(blip, 'r:embed')
      tree.setAttribute(blip, 'r:embed', addPicture(editor, part, picture))
      const more = blip.child('a:extLst') // such as the same picture as svg
      if (more) tree.remove(more)
      const cut = at(shape.node, 'p:blipFill', 'a:srcRect')
      if (cut) tree.remove(cut)
      dropLink(editor, part, old)
      isMade = true
      return true
    },
  )
  return {
    op: 'replace_image',
    message: `${shape.name} on slide ${slide.index} shows ${picture.path}.`,
  }
}

function dropLink({ deck }: DeckEditor, part: string, id: string | undefined): void {
  const own = deck.package
  const tree = deck.page(part)?.tree
  const link = own.links(part).find(other => other.id === id)
  const isUsed =
    tree && [...tree.root.all('a:blip')].some(node => tree.attribute(node, 'r:embed') === id)
  if (!link || isUsed || link.isExternal) return
  own.removeLink(part, link.id)
  const isNeeded = own.names.some(
    name => !/\.rels$/i.test(name) && own.links(name).some(({ target }) => target === link.target),
  )
  if (!isNeeded) removeWithOwn(own, link.target)
}
