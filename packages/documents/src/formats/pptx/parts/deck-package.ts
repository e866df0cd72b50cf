import { fail, ok, type Result } from '@filewright/protocol'
import { broken, LivePackage, OpcPackage } from '../../../opc/index.ts'

/** The parts of a presentation. */
export class DeckPackage extends LivePackage {
  static open(bytes: Uint8Array): Result<DeckPackage> {
    const opened = OpcPackage.open(bytes)
    if (!opened.ok) return opened
    const opc = opened.value
    const main = opc.relationships('').find(({ kind }) => kind === 'officeDocument')?.target
    if (!main || !opc.has(main)) return broken('it has no presentation part')
    const stranger = findStranger(opc.contentTypes.typeOf(main) ?? '')
    if (stranger) return stranger
    const own = new DeckPackage(opc, opc.spellingOf(main))
    const tree = own.tree(own.mainName)
    if (!tree.ok) return tree
    if (tree.value.root.name !== 'p:presentation')
      return broken('its main part is not a presentation')
    return ok(own)
  }

  /** The part of that kind which another links to, such as the layout of a slide. */
  linkedFrom(part: string, kind: string): string | undefined {
    return this.links(part).find(link => link.kind === kind && !link.isExternal)?.target
  }

  /** The part that a relationship id of another part names. */
  targetOf(part: string, id: string | undefined): string | undefined {
    const link = this.link(part, id)
    return link && !link.isExternal && this.has(link.target) ? link.target : undefined
  }
}

function findStranger(type: string) {
  if (/presentationml|ms-powerpoint/.test(type)) return undefined
  const kind = /spreadsheetml|ms-excel/.test(type)
    ? 'a spreadsheet'
    : /wordprocessingml|ms-word/.test(type)
      ? 'a Word document'
      : undefined
  if (!kind) return undefined // some writers declare odd types: the root element decides
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot open the file as a presentation: it is ${kind}, whatever its name says.`,
  )
}
