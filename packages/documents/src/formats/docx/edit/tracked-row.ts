import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { trackDeletedText } from './tracked-paragraph.ts'
import type { Tracking } from './tracking.ts'

/** A row and its content as inserted or deleted. */
export function markRow(
  tree: LiveTree,
  row: LiveNode,
  kind: 'w:ins' | 'w:del',
  tracking: Tracking,
): void {
  let properties = row.child('w:trPr')
  if (!properties) {
    ;[properties] = tree.fragment('<w:trPr/>')
    const before = row.child('w:tblPrEx')
    tree.insert(row, before ? before.index + 1 : 0, [properties!])
  }
  const change = properties!.child('w:trPrChange')
  const mark = tree.fragment(`<${kind} ${tracking.attributes()}/>`)
  tree.insert(properties!, change ? change.index : properties!.children.length, mark)
  for (const paragraph of row.all('w:p')) {
    if (kind === 'w:del') trackDeletedText(tree, paragraph, tracking)
    else
      for (const run of paragraph.children.filter(({ name }) => name === 'w:r')) {
        const [wrapper] = tree.fragment(`<w:ins ${tracking.attributes()}/>`)
        tree.before(run, [wrapper!])
        tree.remove(run)
        tree.append(wrapper!, [run])
      }
  }
}
