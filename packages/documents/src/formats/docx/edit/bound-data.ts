import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { DocumentPackage } from '../parts/document-package.ts'

/** The store ids that Word gives to the built-in properties. */
const BUILT_IN: Readonly<Record<string, string>> = {
  '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}': 'core-properties',
  '{6668398D-A668-4E3E-A5EB-62B293D839F1}': 'extended-properties',
}
/** What a cover page says. Word has this data in every document, and writes its part once it says something. */
const COVER_PAGE = {
  store: '{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}',
  uri: 'http://schemas.microsoft.com/office/2006/coverPageProps',
  names: ['PublishDate', 'Abstract', 'CompanyAddress', 'CompanyPhone', 'CompanyFax', 'CompanyEmail'], // biome-ignore format: one line
}
/** Properties that a document may leave out. */
const CORE: Readonly<Record<string, string>> = {
  title: 'dc:title',
  subject: 'dc:subject',
  creator: 'dc:creator',
  description: 'dc:description',
  keywords: 'cp:keywords',
  category: 'cp:category',
  contentStatus: 'cp:contentStatus',
}

/** Writes the value that a bound control shows into the document's data: Word takes it from there. */
export function setBoundData(
  own: DocumentPackage,
  tree: LiveTree,
  binding: LiveNode,
  value: string,
): void {
  const found = boundElement(own, tree, binding) ?? makeElement(own, tree, binding)
  if (!found)
    throw new Refusal(
      'CONFLICT',
      `a content control shows data of the document at ${tree.attribute(binding, 'w:xpath') ?? ''}, which is not there, so Word would replace the value`,
    )
  const { data, node, attribute } = found
  if (attribute === undefined) data.setText(node, value)
  else data.setAttribute(node, attribute, value)
}

function spotOf(tree: LiveTree, binding: LiveNode) {
  const path = tree.attribute(binding, 'w:xpath') ?? ''
  const store = (tree.attribute(binding, 'w:storeItemID') ?? '').toUpperCase()
  const name = STEP.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? ''
  return { path, store, name }
}

function boundElement(own: DocumentPackage, tree: LiveTree, binding: LiveNode) {
  const { path, store } = spotOf(tree, binding)
  const data = storeOf(own, store)
  const [, owner = path, attribute] = OF_ATTRIBUTE.exec(path) ?? []
  if (!data) return undefined
  if (attribute !== undefined) return boundAttribute(data, owner, attribute)
  const node = elementAt(data, path)
  return node?.children.every(({ isText }) => isText)
    ? { data, node, attribute: undefined }
    : undefined
}

/** `/order[1]/@paid`, where the element has it: its name as the data spells it. */
function boundAttribute(data: LiveTree, owner: string, name: string) {
  const node = elementAt(data, owner)
  if (!node) return undefined
  const found = data.attributesOf(node).find(own => own.name.replace(/^.*:/, '') === name)
  return found && { data, node, attribute: found.name }
}

/** Built-in data that the document left out because it said nothing. */
function canMake(own: DocumentPackage, tree: LiveTree, binding: LiveNode): boolean {
  const { store, name } = spotOf(tree, binding)
  const data = storeOf(own, store)
  if (store === COVER_PAGE.store) return !data && COVER_PAGE.names.includes(name)
  return BUILT_IN[store] === 'core-properties' && !!data && Object.hasOwn(CORE, name)
}

function makeElement(own: DocumentPackage, tree: LiveTree, binding: LiveNode) {
  if (!canMake(own, tree, binding)) return undefined
  const { store, name } = spotOf(tree, binding)
  if (store === COVER_PAGE.store) addCoverPage(own)
  else {
    const data = storeOf(own, store)!
    data.append(data.root, data.fragment(`<${CORE[name]}/>`))
  }
  return boundElement(own, tree, binding)
}

function addCoverPage(own: DocumentPackage): void {
  let number = 1
  while (own.has(`customXml/item${number}.xml`) || own.has(`customXml/itemProps${number}.xml`)) number++ // biome-ignore format: one line
  const item = `customXml/item${number}.xml`
  const properties = `customXml/itemProps${number}.xml`
  const empty = COVER_PAGE.names.map(name => `<${name}></${name}>`).join('')
  const data = `<CoverPageProperties xmlns="${COVER_PAGE.uri}">${empty}</CoverPageProperties>`
  own.addPart(item, 'application/xml', data)
  own.addPart(
    properties,
    'application/vnd.openxmlformats-officedocument.customXmlProperties+xml',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<ds:datastoreItem ds:itemID="${COVER_PAGE.store}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs><ds:schemaRef ds:uri="${COVER_PAGE.uri}"/></ds:schemaRefs></ds:datastoreItem>`,
  )
  own.addLink(own.mainName, 'customXml', item)
  own.addLink(item, 'customXmlProps', properties)
}

/** Whether new text in a bound control can be written into the data too: a plain value of one paragraph. */
export function canFollow(own: DocumentPackage, tree: LiveTree, control: LiveNode): boolean {
  const properties = control.child('w:sdtPr')
  const binding = properties?.child('w:dataBinding')
  const isPlain = ['w:date', 'w:dropDownList', 'w:comboBox', 'w14:checkbox'].every(
    name => !properties?.child(name),
  )
  const [, second] = control.all('w:p')
  if (!binding || !isPlain || second) return false
  return !!boundElement(own, tree, binding) || canMake(own, tree, binding)
}

/** Runs an edit of a paragraph, and writes what its bound controls then say into the data that they show. */
export function withBoundData(
  own: DocumentPackage,
  tree: LiveTree,
  paragraph: LiveNode,
  edit: () => void,
): void {
  const controls = boundControls(paragraph).map(node => ({ node, before: saidBy(tree, node) }))
  edit()
  for (const { node, before } of controls) {
    const after = saidBy(tree, node)
    if (after !== before)
      setBoundData(own, tree, node.child('w:sdtPr')!.child('w:dataBinding')!, after)
  }
}

function boundControls(paragraph: LiveNode): readonly LiveNode[] {
  const found = [...paragraph.all('w:sdt')]
  for (let at = paragraph.parent; at; at = at.parent) if (at.name === 'w:sdt') found.push(at)
  return found.filter(node => node.child('w:sdtPr')?.child('w:dataBinding'))
}

function saidBy(tree: LiveTree, control: LiveNode): string {
  return [...(control.child('w:sdtContent')?.all('w:t') ?? [])]
    .map(node => tree.textOf(node))
    .join('')
}

function storeOf(own: DocumentPackage, store: string): LiveTree | undefined {
  const built = Object.hasOwn(BUILT_IN, store) ? BUILT_IN[store] : undefined
  if (built !== undefined)
    return own.findTree(own.links('').find(({ kind }) => kind === built)?.target)
  const items = own.links(own.mainName).filter(({ kind }) => kind === 'customXml')
  const found = items.find(({ target }) =>
    own.links(target).some(link => {
      if (link.kind !== 'customXmlProps') return false
      const properties = own.findTree(link.target)
      const id = properties
        ?.attributesOf(properties.root)
        .find(({ name }) => /(^|:)itemID$/.test(name))
      return id?.value.toUpperCase() === store
    }),
  )
  return own.findTree(found?.target)
}

const OF_ATTRIBUTE = /^(.+)\/@(?:[\w.-]+:)?([\w.-]+)$/
const STEP = /^(?:[\w.-]+:)?([\w.-]+)(?:\[(\d+)\])?$/

/** `/ns0:root[1]/ns0:name[1]`: names and numbers only, as Word writes them. */
function elementAt({ root }: LiveTree, path: string): LiveNode | undefined {
  const steps = path.split('/').slice(1)
  let at: LiveNode | undefined
  for (const [depth, step] of steps.entries()) {
    const [, name, number = '1'] = STEP.exec(step) ?? []
    if (name === undefined) return undefined
    const candidates: readonly LiveNode[] = depth === 0 ? [root] : (at?.children ?? [])
    at = candidates.filter(node => node.name.replace(/^.*:/, '') === name)[Number(number) - 1]
    if (!at) return undefined
  }
  return at
}
