import { uriOfPrefix } from '../../../opc/index.ts'

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const PRESENTATION = 'application/vnd.openxmlformats-officedocument.presentationml'
export const THEME_TYPE = 'application/vnd.openxmlformats-officedocument.theme+xml'

/** The declarations of the root of a new part. */
export function declared(isStrict: boolean, ...prefixes: readonly string[]): string {
  return prefixes.map(prefix => `xmlns:${prefix}="${uriOfPrefix(prefix, isStrict)}"`).join(' ')
}

/** The group at the top of every tree of shapes. */
export const TOP_GROUP =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
