import { attribute, child, type XmlElement } from '../../../opc/index.ts'
import type { LookEdit } from '../looks/look-edit.ts'
import { alignmentXml, borderXml, fillXml, fontXml, protectionXml } from '../looks/look-xml.ts'
import { serialise } from '../looks/serialise.ts'
import type { FormatEdit, Styles } from './styles.ts'

/** The parts of a cell format that an edit makes other ones. */
export function formatEdit(
  styles: Styles,
  own: XmlElement | undefined,
  given: LookEdit,
): FormatEdit {
  const edit = styles.shown(given)
  const { prefix } = styles
  const indexOf = (name: string) => Number(attribute(own, name) ?? 0)
  const font = fontXml(prefix, styles.fonts.at(indexOf('fontId')), edit)
  const alignment = alignmentXml(prefix, child(own, 'alignment'), edit)
  const protection = protectionXml(prefix, child(own, 'protection'), edit)
  const borders = styles.borders.at(indexOf('borderId'))
  const all = {
    ...(edit.format !== undefined && { numFmtId: styles.formatId(edit.format) }),
    ...(font !== undefined && { font: styles.fonts.add(font) }),
    ...(edit.fill !== undefined && { fill: styles.fills.add(fillXml(prefix, edit.fill)) }),
    ...(edit.border && { border: styles.borders.add(borderXml(prefix, borders, edit.border)) }),
    ...(alignment !== undefined && { alignment }),
    ...(protection !== undefined && { protection }),
  }
  return changedFrom(own, all)
}

const INDEXES: Readonly<Record<string, string>> = {
  numFmtId: 'numFmtId',
  font: 'fontId',
  fill: 'fillId',
  border: 'borderId',
}

/** Without what the format has already. */
function changedFrom(own: XmlElement | undefined, edit: FormatEdit): FormatEdit {
  return Object.fromEntries(
    Object.entries(edit).filter(([key, value]) => {
      const name = INDEXES[key]
      if (name) return String(value) !== (attribute(own, name) ?? '0')
      return value !== serialise(child(own, key))
    }),
  )
}
