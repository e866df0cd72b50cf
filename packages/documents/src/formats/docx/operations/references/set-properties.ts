import { type LiveTree, uriOfPrefix } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { CORE_PROPERTIES, coreOf } from '../../parts/core-properties.ts'

/** What Word shows of a document under its properties. */
export function setProperties(
  editor: DocumentEditor,
  { properties }: DocumentArgs<'set_properties'>,
) {
  const given = Object.entries(properties)
  if (given.length === 0)
    throw invalid(`set_properties needs properties: ${Object.keys(CORE_PROPERTIES).join(', ')}`)
  editor.untracked('a document property')
  for (const [name, value] of given) {
    if (!Object.hasOwn(CORE_PROPERTIES, name) || value === undefined)
      throw invalid(
        `${JSON.stringify(name)} cannot be set; the properties are ${Object.keys(CORE_PROPERTIES).join(', ')}, each a text`,
      )
    refuseUnwritable(value)
  }
  for (const [name, value] of given) {
    const element = CORE_PROPERTIES[name]!
    const show = () => {
      const node = coreOf(editor.manuscript.package)?.root.child(element)
      return { text: node ? (coreOf(editor.manuscript.package)?.textOf(node) ?? '') : '' }
    }
    editor.change(
      {
        kind: 'structure',
        place: `property ${name}`,
        keys: [`property ${name}`],
        before: show(),
        after: show,
      },
      () => {
        const tree = coreOf(editor.manuscript.package) ?? addCore(editor)
        const known = tree.root.child(element)
        const node = known ?? tree.fragment(`<${element}/>`)[0]!
        if (!known) tree.append(tree.root, [node])
        tree.setText(node, value!)
        return true
      },
    )
  }
  return {
    op: 'set_properties',
    message: `Set ${given.map(([name]) => name).join(', ')} of the document.`,
  }
}

function addCore({ manuscript }: DocumentEditor): LiveTree {
  const own = manuscript.package
  own.addPart(
    'docProps/core.xml',
    'application/vnd.openxmlformats-package.core-properties+xml',
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cp:coreProperties xmlns:cp="${uriOfPrefix('cp', false)}" xmlns:dc="${uriOfPrefix('dc', false)}"/>`,
  )
  own.addLink(
    '',
    'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
    'docProps/core.xml',
  )
  return own.findTree('docProps/core.xml')!
}
