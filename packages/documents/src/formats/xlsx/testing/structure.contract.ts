import { unwrap } from '@filewright/protocol'
import { SaxesParser } from 'saxes'
import { OpcPackage } from '../../../opc/index.ts'
import { intersects, parseBox, parseCell } from '../cell/address.ts'

export interface FlatElement {
  readonly name: string
  readonly parent: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** What a spreadsheet program would stumble over, found by a parser that is not ours. Empty: nothing. */
export function structureFaults(bytes: Uint8Array): string[] {
  const own = unwrap(OpcPackage.open(bytes))
  const faults: string[] = []
  const elements = new Map<string, readonly FlatElement[]>()
  for (const name of own.names.filter(part => /\.(xml|rels)$/i.test(part))) {
    const part = unwrap(own.part(name))
    try {
      elements.set(name, flatElements(part))
    } catch (error) {
      faults.push(`${name} is not well-formed: ${(error as Error).message}`)
    }
  }
  faults.push(...linkFaults(own, elements))
  const workbook = [...elements].find(([, list]) => list[0]?.name === 'workbook')?.[1] ?? []
  faults.push(...workbookFaults(workbook))
  const strings = [...elements.values()].find(list => list[0]?.name === 'sst') ?? []
  const styles = [...elements.values()].find(list => list[0]?.name === 'styleSheet') ?? []
  const counts = {
    strings: strings.filter(({ name }) => name === 'si').length,
    styles: styles.filter(({ name, parent }) => name === 'xf' && parent === 'cellXfs').length,
  }
  for (const [name, list] of elements)
    if (list[0]?.name === 'worksheet') faults.push(...sheetFaults(name, list, counts))
  return faults
}

/** The elements of a part in order, by a parser that is not ours. */
export function flatElements(part: Uint8Array): FlatElement[] {
  const found: FlatElement[] = []
  const open: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ local, attributes }) => {
    const own = Object.values(attributes) as { local: string; prefix: string; value: string }[]
    found.push({
      name: local,
      parent: open.at(-1) ?? '',
      attributes: Object.fromEntries(
        own.map(each => [each.prefix === '' ? each.local : `:${each.local}`, each.value]),
      ),
      text: '',
    })
    open.push(local)
  })
  parser.on('text', text => {
    const last = found.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(decoded(part)).close()
  return found
}

function decoded(part: Uint8Array): string {
  const encoding = part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(part)
}

function linkFaults(
  own: OpcPackage,
  elements: ReadonlyMap<string, readonly FlatElement[]>,
): string[] {
  const faults: string[] = []
  for (const [part, list] of elements) {
    if (!part.endsWith('.rels')) continue
    const source = part.replace(/_rels\/([^/]*)\.rels$/, '$1')
    const ids = list
      .filter(({ name }) => name === 'Relationship')
      .map(({ attributes }) => attributes.Id)
    if (new Set(ids).size < ids.length) faults.push(`${part} names an id twice`)
    if (source !== '' && !own.has(source)) faults.push(`${part} is left of a part that is gone`)
    for (const { target, isExternal } of own.relationships(source))
      if (!isExternal && !own.has(target))
        faults.push(`${part} leads to ${target}, which is missing`)
  }
  const named = (elements.get('[Content_Types].xml') ?? [])
    .filter(({ name }) => name === 'Override')
    .map(({ attributes }) => attributes.PartName!.slice(1).toLowerCase())
  for (const name of named)
    if (!own.has(name)) faults.push(`a content type names ${name}, which is missing`)
  if (new Set(named).size < named.length) faults.push('a part has two content types')
  return faults
}

function workbookFaults(list: readonly FlatElement[]): string[] {
  const sheets = list.filter(({ name, parent }) => name === 'sheet' && parent === 'sheets')
  const faults: string[] = []
  for (const field of ['name', 'sheetId', ':id']) {
    const values = sheets.map(({ attributes }) => attributes[field]?.toLowerCase())
    if (new Set(values).size < values.length) faults.push(`two sheets have one ${field}`)
  }
  const names = list
    .filter(({ name }) => name === 'definedName')
    .map(({ attributes }) => attributes)
  const keys = names.map(({ name, localSheetId }) => `${name?.toLowerCase()} ${localSheetId}`)
  if (new Set(keys).size < keys.length) faults.push('a name is defined twice')
  for (const { localSheetId } of names)
    if (Number(localSheetId ?? 0) >= sheets.length) faults.push('a name belongs to no sheet')
  if (!sheets.some(({ attributes }) => (attributes.state ?? 'visible') === 'visible'))
    faults.push('no sheet is visible')
  for (const { attributes } of list.filter(({ name }) => name === 'workbookView'))
    if (Number(attributes.activeTab ?? 0) >= sheets.length) faults.push('no sheet is active')
  return faults
}

function sheetFaults(
  part: string,
  list: readonly FlatElement[],
  counts: { readonly strings: number; readonly styles: number },
): string[] {
  const faults: string[] = []
  let row = 0
  let column = 0
  let isShared = false
  for (const { name, attributes, text } of list) {
    if (name === 'row') {
      const number = Number(attributes.r ?? row + 1)
      if (number <= row) faults.push(`${part}: row ${number} comes after row ${row}`)
      row = number
      column = 0
    } else if (name === 'c') {
      const at = attributes.r === undefined ? { row, column: column + 1 } : parseCell(attributes.r)
      if (!at || at.row !== row || at.column <= column)
        faults.push(`${part}: cell ${attributes.r} is out of order`)
      column = at?.column ?? column
      isShared = attributes.t === 's'
      if (Number(attributes.s ?? 0) >= Math.max(counts.styles, 1))
        faults.push(`${part}: cell ${attributes.r} has a style that does not exist`)
    } else if (name === 'v' && isShared && !(Number(text) < counts.strings))
      faults.push(`${part}: the shared string ${text} does not exist`)
  }
  const merges = list
    .filter(({ name }) => name === 'mergeCell')
    .map(own => parseBox(own.attributes.ref!)!)
  for (const [index, box] of merges.entries())
    if (merges.slice(0, index).some(other => intersects(other, box)))
      faults.push(`${part}: merged ranges overlap`)
  const held = list.find(({ name }) => name === 'mergeCells')
  if (held && merges.length === 0) faults.push(`${part}: an empty list of merged ranges`)
  let last = 0
  for (const { attributes } of list.filter(
    ({ name, parent }) => name === 'col' && parent === 'cols',
  )) {
    if (Number(attributes.min) <= last) faults.push(`${part}: columns overlap at ${attributes.min}`)
    last = Number(attributes.max)
  }
  return faults
}
