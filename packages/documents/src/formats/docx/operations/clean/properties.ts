import { type LiveNode, type LiveTree, relationshipsName } from '../../../../opc/index.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { type CleanedKind, quoted } from './removed.ts'

/** Properties that say nothing of people or of the file's past. */
const KEPT: ReadonlySet<string> = new Set(
  'created modified language Pages Words Characters Lines Paragraphs CharactersWithSpaces Application AppVersion DocSecurity ScaleCrop LinksUpToDate SharedDoc HyperlinksChanged HeadingPairs TitlesOfParts'.split(
    ' ',
  ),
)
const PEOPLE: ReadonlySet<string> = new Set(['creator', 'lastModifiedBy', 'Manager'])
const SETTINGS = ['w:attachedTemplate', 'w:rsids']

/** Properties of the document, the template it came from and the ids of editing sessions. What the text shows stays. */
export function removeProperties({ manuscript }: DocumentEditor): CleanedKind {
  const own = manuscript.package
  const items: string[] = []
  const names: string[] = []
  const shown = shownProperties(manuscript)
  for (const kind of ['core-properties', 'extended-properties', 'custom-properties']) {
    const tree = own.findTree(own.links('').find(link => link.kind === kind)?.target)
    for (const node of [...(tree?.root.children ?? [])]) {
      const name = node.isText
        ? ''
        : (tree!.attribute(node, 'name') ?? node.name.replace(/^.*:/, ''))
      const text = node.isText ? '' : allText(tree!, node)
      if (name === '' || text === '' || KEPT.has(name) || shown.has(name.toLowerCase())) continue
      items.push(`${name} ${quoted(text)}`)
      if (PEOPLE.has(name)) names.push(text)
      tree!.remove(node)
    }
  }
  for (const name of SETTINGS) if (removeSetting(manuscript, name)) items.push(name.slice(2))
  return { what: 'properties', count: items.length, items, names }
}

function allText(tree: LiveTree, node: LiveNode): string {
  return node.children
    .map(own => (own.isText ? tree.textOf(own) : allText(tree, own)))
    .join('')
    .trim()
}

/** The template's path is in a relationship, which goes with it. */
function removeSetting({ package: own }: Manuscript, name: string): boolean {
  const part = own.linked('settings')
  const tree = own.findTree(part)
  const node = tree?.root.child(name)
  if (!tree || !node || part === undefined) return false
  const id = tree.attribute(node, 'r:id')
  tree.remove(node)
  const links = own.findTree(relationshipsName(part))
  const link = links?.root.children.find(each => !each.isText && links.attribute(each, 'Id') === id)
  if (links && link && id !== undefined) links.remove(link)
  return true
}

/** The names of the properties that fields and content controls show. */
function shownProperties(manuscript: Manuscript): ReadonlySet<string> {
  const shown = new Set<string>()
  for (const { tree, root } of manuscript.stories) {
    for (const node of root.all('w:dataBinding')) {
      const last = (tree.attribute(node, 'w:xpath') ?? '').split('/').at(-1) ?? ''
      shown.add(last.replace(/^.*:/, '').replace(/\[.*$/, '').toLowerCase())
    }
    const codes = [
      ...[...root.all('w:instrText')].map(node => tree.textOf(node)),
      ...[...root.all('w:fldSimple')].map(node => tree.attribute(node, 'w:instr') ?? ''),
    ]
    for (const code of codes) {
      const [, name = '', quotedName, bare] = /^\s*(\w+)\s*(?:"([^"]*)"|(\S*))/.exec(code) ?? []
      const isNamed = /^(DOCPROPERTY|INFO)$/i.test(name)
      const asked = (isNamed ? (quotedName ?? bare ?? '') : name).toLowerCase()
      shown.add(Object.hasOwn(FIELD_NAMES, asked) ? FIELD_NAMES[asked]! : asked)
    }
  }
  return shown
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  author: 'creator',
  comments: 'description',
  lastsavedby: 'lastmodifiedby',
}
