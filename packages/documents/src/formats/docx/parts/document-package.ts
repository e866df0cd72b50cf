import { fail, ok, type Result } from '@filewright/protocol'
import { broken, LivePackage, type LiveTree, OpcPackage } from '../../../opc/index.ts'

/** The parts of a Word document. */
export class DocumentPackage extends LivePackage {
  static open(bytes: Uint8Array): Result<DocumentPackage> {
    const opened = OpcPackage.open(bytes)
    if (!opened.ok) return opened
    const opc = opened.value
    const main = opc.relationships('').find(({ kind }) => kind === 'officeDocument')?.target
    if (!main || !opc.has(main)) return broken('it has no main document part')
    const stranger = findStranger(opc.contentTypes.typeOf(main) ?? '')
    if (stranger) return stranger
    const own = new DocumentPackage(opc, opc.spellingOf(main))
    const tree = own.tree(own.mainName)
    if (!tree.ok) return tree
    if (tree.value.root.name !== 'w:document' || !tree.value.root.child('w:body'))
      return broken('its main part is not a Word document')
    return ok(own)
  }

  /** The part that the body's part links to, such as `styles`. */
  linked(kind: string): string | undefined {
    return this.links(this.mainName).find(link => link.kind === kind && !link.isExternal)?.target
  }

  linkedTree(kind: string): LiveTree | undefined {
    return this.findTree(this.linked(kind))
  }
}

function findStranger(type: string) {
  if (/wordprocessingml|ms-word/.test(type)) return undefined
  const kind = /spreadsheetml|ms-excel/.test(type)
    ? 'a spreadsheet'
    : /presentationml|ms-powerpoint/.test(type)
      ? 'a PowerPoint presentation'
      : undefined
  if (!kind) return undefined // some writers declare odd types: the root element decides
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot open the file as a Word document: it is ${kind}, whatever its name says.`,
  )
}
