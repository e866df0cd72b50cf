import type { LiveNode, LiveTree } from '../../../packages/documents/src/opc/index.ts'
import { type OfficeFile, twice } from '../office-file.ts'
import type { RepairRule } from '../rule.ts'
import { property, storiesOf, valuesOf } from './stories.ts'

const STYLE_TYPE: Readonly<Record<string, string>> = {
  'w:pStyle': 'paragraph',
  'w:rStyle': 'character',
  'w:tblStyle': 'table',
}

function stylesOf(file: OfficeFile): { tree: LiveTree; nodes: LiveNode[] } | undefined {
  const tree = file.tree(file.linked(file.main, 'styles')[0])
  return tree && { tree, nodes: tree.root.children.filter(({ name }) => name === 'w:style') }
}

/** The type of each style by its id. */
function styleTypes(file: OfficeFile): Map<string, string> {
  const styles = stylesOf(file)
  return new Map(
    styles?.nodes.map(node => [
      styles.tree.attribute(node, 'w:styleId') ?? '',
      styles.tree.attribute(node, 'w:type') ?? 'paragraph',
    ]),
  )
}

const styleMissing: RepairRule = {
  id: 'docx/style-missing',
  *check(file) {
    const types = styleTypes(file)
    const found = new Set<string>()
    for (const { name, tree, elements } of storiesOf(file))
      for (const node of elements) {
        const wanted = STYLE_TYPE[node.name]
        const id = wanted && tree.attribute(node, 'w:val')
        if (id && types.get(id) !== wanted)
          found.add(`${name} uses the ${wanted} style ${id}, which is not there`)
      }
    yield* found
  },
}

const styleChain: RepairRule = {
  id: 'docx/style-based-on-nothing',
  *check(file) {
    const styles = stylesOf(file)
    if (!styles) return
    const { tree, nodes } = styles
    const base = new Map(
      nodes.map(node => [
        tree.attribute(node, 'w:styleId') ?? '',
        property(tree, node, 'w:basedOn'),
      ]),
    )
    for (const node of nodes)
      for (const link of ['w:basedOn', 'w:next', 'w:link']) {
        const id = property(tree, node, link)
        if (id !== undefined && !base.has(id))
          yield `${link} of a style names ${id}, which is not there`
      }
    for (const id of base.keys()) {
      const seen = new Set<string>()
      for (let at: string | undefined = id; at !== undefined; at = base.get(at)) {
        if (seen.has(at)) {
          yield `the style ${id} is based on itself`
          break
        }
        seen.add(at)
      }
    }
  },
}

const styleIdTwice: RepairRule = {
  id: 'docx/style-id-twice',
  *check(file) {
    const styles = stylesOf(file)
    const ids = styles?.nodes.map(node => styles.tree.attribute(node, 'w:styleId') ?? '') ?? []
    for (const id of twice(ids)) yield `two styles have the id ${id}`
  },
}

function numberingOf(file: OfficeFile) {
  const tree = file.tree(file.linked(file.main, 'numbering')[0])
  const all = (name: string) => tree?.root.children.filter(node => node.name === name) ?? []
  const idsOf = (name: string, attribute: string) =>
    all(name).flatMap(node => tree!.attribute(node, attribute) ?? [])
  return {
    tree,
    all,
    nums: idsOf('w:num', 'w:numId'),
    lists: idsOf('w:abstractNum', 'w:abstractNumId'),
  }
}

const listMissing: RepairRule = {
  id: 'docx/list-missing',
  *check(file) {
    const { tree, all, nums, lists } = numberingOf(file)
    const styles = stylesOf(file)?.tree
    const used = [
      ...storiesOf(file).flatMap(story => valuesOf(story, new Set(['w:numId']), 'w:val')),
      ...(styles
        ? [...styles.root.all('w:numId')].flatMap(node => styles.attribute(node, 'w:val') ?? [])
        : []),
    ]
    for (const id of new Set(used))
      if (id !== '0' && !nums.includes(id)) yield `the list ${id} is used and not there`
    for (const node of all('w:num')) {
      const id = property(tree!, node, 'w:abstractNumId')
      if (!lists.includes(id ?? '')) yield `a list is made after ${id}, which is not there`
    }
  },
}

const listIdTwice: RepairRule = {
  id: 'docx/list-id-twice',
  *check(file) {
    const { nums, lists } = numberingOf(file)
    for (const id of twice(nums)) yield `two lists have the id ${id}`
    for (const id of twice(lists)) yield `two definitions of lists have the id ${id}`
  },
}

const listOrder: RepairRule = {
  id: 'docx/list-before-its-definition',
  *check(file) {
    const { tree } = numberingOf(file)
    const names = tree?.root.children.map(({ name }) => name) ?? []
    const first = names.indexOf('w:num')
    if (first >= 0 && names.lastIndexOf('w:abstractNum') > first)
      yield 'a definition of a list stands behind the lists'
  },
}

const anchorMissing: RepairRule = {
  id: 'docx/link-to-missing-bookmark',
  *check(file) {
    const stories = storiesOf(file)
    const names = new Set(
      stories
        .flatMap(story => valuesOf(story, new Set(['w:bookmarkStart']), 'w:name'))
        .map(name => name.toLowerCase()),
    )
    for (const { name, tree, elements } of stories)
      for (const node of elements) {
        const isCode = node.name === 'w:instrText'
        const code = isCode
          ? /^\s*(?:PAGE)?REF\s+"?([^\s"]+)/.exec(tree.textOf(node))?.[1]
          : undefined
        // with an address it leads into another file
        const isLink = node.name === 'w:hyperlink' && tree.attribute(node, 'r:id') === undefined
        const own = code ?? (isLink ? tree.attribute(node, 'w:anchor') : undefined)
        if (own && own !== '_top' && !names.has(own.toLowerCase()))
          yield `${name} refers to the bookmark ${own}, which is not there`
      }
  },
}

export const REFERENCE_RULES: readonly RepairRule[] = [
  styleMissing,
  styleChain,
  styleIdTwice,
  listMissing,
  listIdTwice,
  listOrder,
  anchorMissing,
]
