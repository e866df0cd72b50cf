import { elements, isContentTypes, type OfficeFile, ownerOfLinks, twice } from './office-file.ts'
import type { RepairRule, RuleSet } from './rule.ts'

/** Kinds of links and how the content type of their target ends; a reader takes the part for what its link says. */
const TYPE_OF_LINK: Readonly<Record<string, RegExp>> = {
  styles: /styles\+xml$/,
  settings: /settings\+xml$/,
  numbering: /numbering\+xml$/,
  header: /header\+xml$/,
  footer: /footer\+xml$/,
  footnotes: /footnotes\+xml$/,
  endnotes: /endnotes\+xml$/,
  comments: /comments\+xml$/,
  theme: /theme\+xml$/,
  chart: /chart\+xml$/,
  image: /^image\//,
  worksheet: /worksheet\+xml$/,
  sharedStrings: /sharedStrings\+xml$/,
  table: /table\+xml$/,
  slide: /slide\+xml$/,
  slideLayout: /slideLayout\+xml$/,
  slideMaster: /slideMaster\+xml$/,
  notesSlide: /notesSlide\+xml$/,
}
const LINKS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml'

const partWithoutType: RepairRule = {
  id: 'opc/part-without-type',
  *check(file) {
    for (const name of file.parts) if (file.typeOf(name) === '') yield `${name} has no content type`
  },
}

const typeWithoutPart: RepairRule = {
  id: 'opc/type-without-part',
  *check(file) {
    for (const name of declared(file, 'ct:Override', 'PartName'))
      if (!file.opc.has(name)) yield `${name} has a content type and is not there`
  },
}

const typeTwice: RepairRule = {
  id: 'opc/type-twice',
  *check(file) {
    for (const name of twice(declared(file, 'ct:Override', 'PartName')))
      yield `${name} has two content types`
    for (const ending of twice(declared(file, 'ct:Default', 'Extension')))
      yield `the ending ${ending} has two content types`
  },
}

const linkToMissingPart: RepairRule = {
  id: 'opc/link-to-missing-part',
  *check(file) {
    for (const { owner, link } of links(file))
      if (!link.isExternal && !file.opc.has(link.target))
        yield `${owner || 'the package'} links to ${link.target}, which is not there`
  },
}

const linkIdTwice: RepairRule = {
  id: 'opc/link-id-twice',
  *check(file) {
    for (const owner of owners(file))
      for (const id of twice(file.links(owner).map(link => link.id)))
        yield `two links of ${owner || 'the package'} have the id ${id}`
  },
}

const linksOfMissingPart: RepairRule = {
  id: 'opc/links-of-missing-part',
  *check(file) {
    for (const owner of owners(file))
      if (owner !== '' && !file.opc.has(owner)) yield `${owner} has links and is not there`
  },
}

const linksType: RepairRule = {
  id: 'opc/links-not-declared',
  *check(file) {
    for (const name of file.parts)
      if (ownerOfLinks(name) !== undefined && file.typeOf(name) !== LINKS_TYPE)
        yield `${name} is declared as ${file.typeOf(name) || 'nothing'}`
  },
}

const partWithoutLink: RepairRule = {
  id: 'opc/part-without-link',
  *check(file) {
    const reached = new Set<string>()
    const open = ['']
    for (let owner = open.pop(); owner !== undefined; owner = open.pop())
      for (const { target, isExternal } of file.links(owner)) {
        const name = file.opc.spellingOf(target)
        if (isExternal || reached.has(name)) continue
        reached.add(name)
        open.push(name)
      }
    for (const name of file.parts)
      if (ownerOfLinks(name) === undefined && !reached.has(name)) yield `nothing links to ${name}`
  },
}

const referenceWithoutLink: RepairRule = {
  id: 'opc/reference-without-link',
  *check(file) {
    for (const name of file.xmlParts) {
      const tree = file.tree(name)
      if (!tree) continue
      const ids = new Set(file.links(name).map(({ id }) => id))
      for (const element of elements(tree.root))
        for (const { name: attribute, value } of tree.attributesOf(element))
          if (attribute.startsWith('r:') && value !== '' && !ids.has(value))
            yield `${element.name} ${attribute}="${value}" of ${name} names no link`
    }
  },
}

const linkAndTypeDisagree: RepairRule = {
  id: 'opc/link-and-type-disagree',
  *check(file) {
    for (const { owner, link } of links(file)) {
      const wanted = Object.hasOwn(TYPE_OF_LINK, link.kind) ? TYPE_OF_LINK[link.kind] : undefined
      if (!wanted || link.isExternal || !file.opc.has(link.target)) continue
      const type = file.typeOf(link.target)
      if (!wanted.test(type))
        yield `${owner || 'the package'} links to ${link.target} as ${link.kind}, and its type is ${type}`
    }
  },
}

const notWellFormed: RepairRule = {
  id: 'opc/not-well-formed',
  *check(file) {
    for (const name of file.xmlParts) {
      const tree = file.parse(name)
      if (typeof tree === 'string') yield `${name}: ${tree}`
    }
  },
}

const prefixNotDeclared: RepairRule = {
  id: 'opc/prefix-not-declared',
  *check(file) {
    for (const name of file.xmlParts) {
      const tree = file.tree(name)
      if (!tree) continue
      for (const element of elements(tree.root)) {
        const scope = tree.scopeOf(element)
        const names = [element.name, ...tree.attributesOf(element).map(own => own.name)]
        for (const prefix of names.flatMap(prefixesOf))
          if (!scope.uris.has(prefix) && scope.writtenPrefix(prefix) === undefined)
            yield `${name} uses the prefix ${prefix}, which nothing declares`
        for (const { name: attribute, value } of tree.attributesOf(element))
          if (
            /^mc:(Ignorable|ProcessContent|MustUnderstand)$/.test(attribute) ||
            attribute === 'Requires'
          )
            for (const prefix of value.split(/\s+/).filter(word => word !== ''))
              if (!scope.uris.has(prefix.split(':')[0]!))
                yield `${attribute} of ${name} names the prefix ${prefix}, which nothing declares`
      }
    }
  },
}

const nameNotAllowed: RepairRule = {
  id: 'opc/name-not-allowed',
  *check(file) {
    for (const name of file.parts)
      if (/\\|\/\/|%(2f|5c)|(^|\/)[^/]*\.(\/|$)/i.test(name)) yield `${name} is no name of a part`
  },
}

export const OPC_RULES: RuleSet = {
  rules: [
    partWithoutType,
    typeWithoutPart,
    typeTwice,
    linkToMissingPart,
    linkIdTwice,
    linksOfMissingPart,
    linksType,
    partWithoutLink,
    referenceWithoutLink,
    linkAndTypeDisagree,
    notWellFormed,
    prefixNotDeclared,
    nameNotAllowed,
  ],
}

function prefixesOf(name: string): string[] {
  const colon = name.indexOf(':')
  return colon < 0 || name.startsWith('xml') ? [] : [name.slice(0, colon)]
}

/** Owners of links, '' for the package. */
function owners(file: OfficeFile): string[] {
  return file.parts.flatMap(name => ownerOfLinks(name) ?? [])
}

function links(file: OfficeFile) {
  return owners(file).flatMap(owner => file.links(owner).map(link => ({ owner, link })))
}

/** What the list of content types names, in lower case. */
function declared(file: OfficeFile, element: string, attribute: string): string[] {
  const tree = file.tree(file.opc.names.find(isContentTypes))
  if (!tree) return []
  return tree.root.children
    .filter(({ name }) => name === element)
    .map(node => (tree.attribute(node, attribute) ?? '').replace(/^\//, '').toLowerCase())
}
