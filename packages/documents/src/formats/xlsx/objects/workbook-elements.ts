import type { LiveNode } from '../../../opc/index.ts'
import type { LiveBook } from './live-book.ts'

/** The order of the elements of a workbook, as its schema has it. */
const ORDER =
  'fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst'
    .split(' ')
    .map(local => `x:${local}`)

/** The element of that name in the workbook's part, made where the schema wants it if it is not there. */
export function ensureInWorkbook({ workbook }: LiveBook, local: string): LiveNode {
  const known = workbook.root.child(`x:${local}`)
  if (known) return known
  const [made] = workbook.fragment(`<x:${local}/>`)
  const own = ORDER.indexOf(`x:${local}`)
  const { children } = workbook.root
  const before = children.findLastIndex(
    ({ name }) => name.startsWith('mc:') || (ORDER.includes(name) && ORDER.indexOf(name) <= own),
  )
  workbook.insert(workbook.root, before + 1, [made!])
  return made!
}

/** Takes an element out that holds nothing any more. */
export function dropIfEmpty({ workbook }: LiveBook, node: LiveNode | undefined): void {
  if (node && !node.children.some(({ isText }) => !isText)) workbook.remove(node)
}
