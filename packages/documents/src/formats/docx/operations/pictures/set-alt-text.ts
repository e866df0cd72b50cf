import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { findPicture } from './find-picture.ts'

export function setAltText(editor: DocumentEditor, args: DocumentArgs<'set_alt_text'>) {
  const { alt } = args
  refuseUnwritable(alt)
  const { paragraph, node, place } = findPicture(editor, args)
  const { tree } = paragraph.story
  editor.untracked('an alt text')
  const side = () => ({ text: altOf(tree, node) })
  editor.change(
    { kind: 'structure', place, keys: [paragraph.id], before: side(), after: side },
    () => writeAlt(tree, node, alt),
  )
  return { op: 'set_alt_text', message: `Set the alt text of the picture in ${paragraph.id}.` }
}

function altOf(tree: LiveTree, node: LiveNode): string {
  const [properties] = node.all('wp:docPr')
  const [shape] = node.all('v:shape')
  return tree.attribute(properties, 'descr') ?? tree.attribute(shape, 'alt') ?? ''
}

/** In every form that the picture has. False: it says so already. */
export function writeAlt(tree: LiveTree, node: LiveNode, alt: string): boolean {
  const before = tree.version
  const value = alt === '' ? undefined : alt
  for (const own of node.all('wp:docPr')) tree.setAttribute(own, 'descr', value)
  for (const own of node.all('pic:cNvPr'))
    if (tree.attribute(own, 'descr') !== undefined) tree.setAttribute(own, 'descr', value)
  for (const own of node.all('v:shape')) tree.setAttribute(own, 'alt', value)
  return tree.version !== before
}
