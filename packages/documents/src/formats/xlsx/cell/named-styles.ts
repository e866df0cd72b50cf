import { attribute, encodeAttribute } from '../../../opc/index.ts'
import { BUILT_IN, type BuiltIn } from '../looks/built-in-styles.ts'
import type { LookEdit } from '../looks/look-edit.ts'
import { UnknownLook } from '../looks/unknown-look.ts'
import { formatEdit } from './format-edit.ts'
import type { Styles } from './styles.ts'

/** The cell styles of a workbook, by name. */
export function styleNames(styles: Styles): string[] {
  return Array.from({ length: styles.names.size }, (_, index) =>
    attribute(styles.names.at(index), 'name'),
  ).filter(name => name !== undefined)
}

/**
 * The format of a named style: the workbook's own, one that every spreadsheet program knows, or a new one that the rest
 * of the edit describes.
 */
export function namedBase(styles: Styles, edit: LookEdit): number {
  const { named = '', ...rest } = edit
  for (let index = 0; index < styles.names.size; index++) {
    const own = styles.names.at(index)
    if (attribute(own, 'name')?.toLowerCase() === named.toLowerCase())
      return Number(attribute(own, 'xfId') ?? 0)
  }
  const known = Object.entries(BUILT_IN).find(
    ([name]) => name.toLowerCase() === named.toLowerCase(),
  )
  if (known) return define(styles, known[0], known[1])
  if (Object.keys(rest).length > 0) return define(styles, named, { look: rest })
  throw new UnknownLook(
    `there is no cell style ${JSON.stringify(named)}; the workbook has ${styleNames(styles).slice(0, 30).join(', ') || 'none'}, and Good, Bad, Neutral, Heading 1, Total, Percent and the like can be used; with other fields a new one is made`,
  )
}

function define(styles: Styles, name: string, { id, look, numFmtId }: BuiltIn): number {
  const { prefix } = styles
  if (styles.bases.size === 0)
    styles.bases.append(`<${prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>`)
  if (styles.names.size === 0)
    styles.names.append(`<${prefix}cellStyle name="Normal" xfId="0" builtinId="0"/>`)
  const edit = { ...formatEdit(styles, styles.bases.at(0), look), ...(numFmtId && { numFmtId }) }
  const plain = (attributeName: string) => attribute(styles.bases.at(0), attributeName) ?? '0'
  const parts = [
    ['numFmtId', edit.numFmtId, 'applyNumberFormat'],
    ['fontId', edit.font, 'applyFont'],
    ['fillId', edit.fill, 'applyFill'],
    ['borderId', edit.border, 'applyBorder'],
  ] as const
  const indexes = parts.map(([key, index]) => ` ${key}="${index ?? plain(key)}"`)
  const flags = [
    ...parts.map(([, index, flag]) => [flag, index !== undefined] as const),
    ['applyAlignment', edit.alignment !== undefined] as const,
    ['applyProtection', edit.protection !== undefined] as const,
  ].map(([flag, isOn]) => (isOn ? '' : ` ${flag}="0"`))
  const inner = `${edit.alignment ?? ''}${edit.protection ?? ''}`
  const open = `<${prefix}xf${indexes.join('')}${flags.join('')}`
  const base = styles.bases.append(inner === '' ? `${open}/>` : `${open}>${inner}</${prefix}xf>`)
  const builtIn = id === undefined ? '' : ` builtinId="${id}"`
  styles.names.append(
    `<${prefix}cellStyle name="${encodeAttribute(name)}" xfId="${base}"${builtIn}/>`,
  )
  return base
}
