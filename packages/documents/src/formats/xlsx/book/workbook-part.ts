import { fail, LIMITS, ok, type Result } from '@filewright/protocol'
import {
  attribute,
  broken,
  child,
  children,
  findTooMany,
  OpcPackage,
  parseXml,
  prefixedAttribute,
  type Relationship,
  textOf,
  toUtf8,
  type XmlDocument,
  type XmlEncoding,
} from '../../../opc/index.ts'
import { SharedStrings } from '../cell/strings.ts'
import { Styles, type StylesDocument } from '../cell/styles.ts'
import { blankStyles, mainNamespace } from './new-sheet.ts'

export type SheetKind = 'worksheet' | 'chartsheet' | 'dialogsheet' | 'macrosheet'
export type SheetVisibility = 'visible' | 'hidden' | 'veryHidden'

export interface SheetEntry {
  readonly name: string
  readonly sheetId: number
  readonly relationshipId: string
  readonly visibility: SheetVisibility
  readonly kind: SheetKind
  /** Its part, '' when the package lacks it. */
  readonly part: string
}

export interface DefinedName {
  /** Its place in the file. */
  readonly index: number
  readonly name: string
  /** The sheet it belongs to, by position; undefined: the whole workbook. */
  readonly localSheet: number | undefined
  readonly isHidden: boolean
  readonly text: string
}

/** The content of `xl/workbook.xml` and its neighbours; sheets are not opened. */
export interface WorkbookPart {
  readonly package: OpcPackage
  readonly name: string
  readonly document: XmlDocument & { readonly encoding: XmlEncoding }
  readonly relationships: readonly Relationship[]
  readonly sheets: readonly SheetEntry[]
  readonly definedNames: readonly DefinedName[]
  readonly is1904: boolean
  readonly isStrict: boolean
  readonly isSigned: boolean
  readonly isStructureProtected: boolean
  readonly hasMacros: boolean
  readonly strings: () => Result<SharedStrings>
  readonly styles: () => Styles
}

export function openWorkbook(bytes: Uint8Array): Result<WorkbookPart> {
  const opened = OpcPackage.open(bytes)
  return opened.ok ? openPackage(opened.value) : opened
}

export function openPackage(own: OpcPackage): Result<WorkbookPart> {
  const name = own
    .relationships('')
    .find(relationship => relationship.kind === 'officeDocument')?.target
  if (!name || !own.has(name)) return broken('it has no main document part')
  const stranger = findStranger(own.contentTypes.typeOf(name) ?? '')
  if (stranger) return stranger
  const tooMany = findTooManySheets(own, name)
  if (tooMany) return tooMany
  const document = own.xml(name)
  if (!document.ok) return document
  const relationships = own.readRelationships(name)
  if (!relationships.ok) return relationships
  if (document.value.root.local !== 'workbook') return broken('its main part is not a workbook')
  return ok(toWorkbook(own, own.spellingOf(name), document.value, relationships.value))
}

function findTooManySheets(own: OpcPackage, name: string) {
  const part = own.part(name)
  const most = { what: 'sheets', limit: LIMITS.workbookSheets }
  return part.ok ? findTooMany(part.value, 'sheetId=', most) : undefined
}

function findStranger(type: string) {
  if (/spreadsheetml|sheet\.macroEnabled|template\.macroEnabled|addin\.macroEnabled/.test(type))
    return undefined
  const kind =
    type.includes('wordprocessingml') || type.includes('ms-word')
      ? 'a Word document'
      : type.includes('presentationml') || type.includes('powerpoint')
        ? 'a PowerPoint presentation'
        : type.includes('sheet.binary')
          ? 'a binary workbook (xlsb)'
          : undefined
  if (!kind) return undefined // some writers declare odd types: the root element decides
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot open the file as a spreadsheet: it is ${kind}, whatever its name says.${type.includes('binary') ? ' Ask for it saved as .xlsx.' : ''}`,
  )
}

function toWorkbook(
  own: OpcPackage,
  name: string,
  document: XmlDocument & { readonly encoding: XmlEncoding },
  relationships: readonly Relationship[],
): WorkbookPart {
  const { root } = document
  const byId = new Map(relationships.map(relationship => [relationship.id, relationship]))
  const properties = child(root, 'workbookPr')
  const isStrict = root.attributes.some(({ value }) => value === mainNamespace(true))
  return {
    package: own,
    name,
    document,
    relationships,
    sheets: children(child(root, 'sheets'), 'sheet').map(element => {
      const relationshipId = prefixedAttribute(element, 'id') ?? attribute(element, 'id') ?? ''
      const relationship = byId.get(relationshipId)
      const part =
        relationship && own.has(relationship.target) ? own.spellingOf(relationship.target) : ''
      return {
        name: attribute(element, 'name') ?? '',
        sheetId: Number(attribute(element, 'sheetId') ?? 0),
        relationshipId,
        visibility: toVisibility(attribute(element, 'state')),
        kind: toKind(relationship?.kind ?? ''),
        part,
      }
    }),
    definedNames: children(child(root, 'definedNames'), 'definedName').map((element, index) => ({
      index,
      name: attribute(element, 'name') ?? '',
      localSheet: toIndex(attribute(element, 'localSheetId')),
      isHidden: isTrue(attribute(element, 'hidden')),
      text: textOf(document, element),
    })),
    is1904: isTrue(attribute(properties, 'date1904')),
    isStrict,
    isSigned: own.relationships('').some(({ type }) => type.endsWith('/digital-signature/origin')),
    isStructureProtected: isTrue(attribute(child(root, 'workbookProtection'), 'lockStructure')),
    hasMacros: relationships.some(({ kind }) => kind === 'vbaProject'),
    strings: once(() => readStrings(own, relationships)),
    styles: once(() => readStyles(own, relationships, isStrict)),
  }
}

function readStrings(
  own: OpcPackage,
  relationships: readonly Relationship[],
): Result<SharedStrings> {
  const target = relationships.find(({ kind }) => kind === 'sharedStrings')?.target
  if (!target || !own.has(target)) return ok(new SharedStrings(new Uint8Array(0)))
  const part = own.part(target)
  if (!part.ok) return part
  const decoded = toUtf8(part.value)
  if (!decoded) return broken(`its part ${target} is in an unknown encoding`)
  if (hasDocumentType(decoded.utf8))
    return broken(`its part ${target} declares a document type, which is refused`)
  return ok(new SharedStrings(decoded.utf8))
}

/**
 * A workbook without styles has blank ones, written when an edit needs them; if its styles cannot be read, it shows
 * plain values.
 */
function readStyles(
  own: OpcPackage,
  relationships: readonly Relationship[],
  isStrict: boolean,
): Styles {
  const target = relationships.find(({ kind }) => kind === 'styles')?.target
  if (!target) return new Styles(parseBlank(isStrict))
  const document = own.has(target) ? own.xml(target) : undefined
  const theme = relationships.find(({ kind }) => kind === 'theme')?.target
  return new Styles(document?.ok ? document.value : undefined, () => {
    const tree = theme !== undefined && own.has(theme) ? own.xml(theme) : undefined
    return tree?.ok ? tree.value.root : undefined
  })
}

function parseBlank(isStrict: boolean): StylesDocument | undefined {
  const document = parseXml(blankStyles(isStrict))
  return typeof document === 'string' ? undefined : { ...document, encoding: 'utf-8' }
}

/** A declaration can only precede the root. */
export function hasDocumentType(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).includes(
    '<!DOCTYPE',
  )
}

function toVisibility(state: string | undefined): SheetVisibility {
  return state === 'hidden' || state === 'veryHidden' ? state : 'visible'
}

function toKind(kind: string): SheetKind {
  if (kind === 'chartsheet' || kind === 'dialogsheet') return kind
  return kind.toLowerCase().includes('macrosheet') ? 'macrosheet' : 'worksheet'
}

function toIndex(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

export function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'on'
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
