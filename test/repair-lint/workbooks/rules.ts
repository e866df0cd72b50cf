import type { LiveNode, LiveTree } from '../../../packages/documents/src/opc/index.ts'
import { elements, type OfficeFile, twice } from '../office-file.ts'
import type { RepairRule, RuleSet } from '../rule.ts'

interface BookPart {
  readonly name: string
  readonly tree: LiveTree
}

function partsOf(file: OfficeFile, root: string): readonly BookPart[] {
  return file.xmlParts.flatMap(name => {
    const tree = file.tree(name)
    return tree?.root.name === root ? [{ name, tree }] : []
  })
}

const mainOf = (file: OfficeFile): LiveTree => file.tree(file.main)!

function all({ tree }: Pick<BookPart, 'tree'>, name: string): readonly LiveNode[] {
  return [...elements(tree.root)].filter(own => own.name === name)
}

function valuesOf(part: Pick<BookPart, 'tree'>, name: string, attribute: string): string[] {
  return all(part, name).flatMap(node => part.tree.attribute(node, attribute) ?? [])
}

const childNames = (node: LiveNode | undefined) =>
  (node?.children ?? []).flatMap(({ name, isText }) => (isText ? [] : [name]))

function isOutOfOrder(names: readonly string[], order: readonly string[]): boolean {
  const known = names.map(name => order.indexOf(name)).filter(at => at >= 0)
  return known.some((at, index) => at < (known[index - 1] ?? 0))
}

const prefixed = (prefix: string, words: string) =>
  words.split(' ').map(local => `${prefix}:${local}`)

const WORKBOOK_ORDER = prefixed(
  'x',
  'fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst',
)

const workbookOutOfOrder: RepairRule = {
  id: 'xlsx/workbook-out-of-order',
  *check(file) {
    if (isOutOfOrder(childNames(mainOf(file).root), WORKBOOK_ORDER))
      yield 'the elements of the workbook are not in the order of the schema'
  },
}

const nameNotAllowed: RepairRule = {
  id: 'xlsx/name-not-allowed',
  *check(file) {
    for (const name of valuesOf({ tree: mainOf(file) }, 'x:definedName', 'name'))
      if (!/^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(name) || /^[A-Za-z]{1,3}\d+$/.test(name))
        yield `${JSON.stringify(name)} is no name`
  },
}

const tableNameTaken: RepairRule = {
  id: 'xlsx/table-name-taken',
  *check(file) {
    const tree = mainOf(file)
    const names = new Set(
      all({ tree }, 'x:definedName')
        .filter(own => tree.attribute(own, 'localSheetId') === undefined)
        .map(own => tree.attribute(own, 'name')?.toLowerCase()),
    )
    for (const { tree: table } of partsOf(file, 'x:table')) {
      const name = table.attribute(table.root, 'displayName') ?? ''
      if (names.has(name.toLowerCase())) yield `the table ${name} has the name of a range`
    }
  },
}

const totalsDisagree: RepairRule = {
  id: 'xlsx/table-totals-disagree',
  *check(file) {
    for (const { tree } of partsOf(file, 'x:table')) {
      const has = Number(tree.attribute(tree.root, 'totalsRowCount') ?? 0) > 0
      const functions = valuesOf({ tree }, 'x:tableColumn', 'totalsRowFunction')
      if (!has && functions.length > 0)
        yield `${tree.attribute(tree.root, 'displayName')} has totals without a row for them`
    }
  },
}

const drawingIdTwice: RepairRule = {
  id: 'xlsx/drawing-id-twice',
  *check(file) {
    for (const part of partsOf(file, 'xdr:wsDr'))
      for (const id of twice(valuesOf(part, 'xdr:cNvPr', 'id')))
        yield `two things of a drawing have the id ${id}`
  },
}

const ANCHORED = prefixed('xdr', 'sp grpSp graphicFrame cxnSp pic contentPart')

const anchorOfNothing: RepairRule = {
  id: 'xlsx/anchor-of-nothing',
  *check(file) {
    for (const { tree } of partsOf(file, 'xdr:wsDr'))
      for (const anchor of tree.root.children) {
        if (!/Anchor$/.test(anchor.name)) continue
        const names = childNames(anchor)
        if (!names.some(name => ANCHORED.includes(name) || name.startsWith('mc:')))
          yield 'an anchor holds nothing'
        if (!names.includes('xdr:clientData')) yield 'an anchor has no client data'
      }
  },
}

const CHART_ORDER = prefixed(
  'c',
  'title autoTitleDeleted pivotFmts view3D floor sideWall backWall plotArea legend plotVisOnly dispBlanksAs showDLblsOverMax extLst',
)
const SERIES_ORDER = prefixed(
  'c',
  'idx order tx spPr invertIfNegative pictureOptions marker explosion dPt dLbls trendline errBars cat xVal val yVal bubbleSize smooth shape extLst',
)

const chartOutOfOrder: RepairRule = {
  id: 'xlsx/chart-out-of-order',
  *check(file) {
    for (const { tree } of partsOf(file, 'c:chartSpace')) {
      if (isOutOfOrder(childNames(tree.root.child('c:chart')), CHART_ORDER))
        yield 'the elements of a chart are not in the order of the schema'
      if (all({ tree }, 'c:ser').some(own => isOutOfOrder(childNames(own), SERIES_ORDER)))
        yield 'the elements of a series are not in the order of the schema'
    }
  },
}

const chartAxisMissing: RepairRule = {
  id: 'xlsx/chart-axis-missing',
  *check(file) {
    for (const { tree } of partsOf(file, 'c:chartSpace')) {
      const plot = tree.root.child('c:chart')?.child('c:plotArea')
      const axes = (plot?.children ?? []).filter(({ name }) => /Ax$/.test(name))
      const idOf = (node: LiveNode) => tree.attribute(node.child('c:axId'), 'val')
      const ids = new Set(axes.map(idOf))
      const groups = (plot?.children ?? []).filter(({ name }) => /Chart$/.test(name))
      const wanted = [
        ...groups.flatMap(own => own.children.filter(({ name }) => name === 'c:axId')),
        ...axes.flatMap(own => own.child('c:crossAx') ?? []),
      ]
      if (wanted.some(own => !ids.has(tree.attribute(own, 'val'))))
        yield 'a chart names an axis that it does not have'
    }
  },
}

const seriesTwice: RepairRule = {
  id: 'xlsx/chart-series-twice',
  *check(file) {
    for (const { tree } of partsOf(file, 'c:chartSpace'))
      for (const name of ['c:idx', 'c:order']) {
        const values = all({ tree }, 'c:ser').flatMap(
          own => tree.attribute(own.child(name), 'val') ?? [],
        )
        for (const value of twice(values)) yield `two series have ${name} ${value}`
      }
  },
}

const pivotCacheMissing: RepairRule = {
  id: 'xlsx/pivot-cache-missing',
  *check(file) {
    const listed = valuesOf({ tree: mainOf(file) }, 'x:pivotCache', 'cacheId')
    for (const id of twice(listed)) yield `the cache ${id} is listed twice`
    for (const { tree } of partsOf(file, 'x:pivotTableDefinition')) {
      const id = tree.attribute(tree.root, 'cacheId') ?? ''
      if (!listed.includes(id)) yield `a pivot table has the cache ${id}, which is not listed`
    }
  },
}

const pivotFieldsDisagree: RepairRule = {
  id: 'xlsx/pivot-fields-disagree',
  *check(file) {
    for (const { tree, name } of partsOf(file, 'x:pivotTableDefinition')) {
      const [cacheName] = file.linked(name, 'pivotCacheDefinition')
      const cache = file.tree(cacheName)
      if (!cache) continue
      const fields = all({ tree: cache }, 'x:cacheField')
      const own = tree.root.child('x:pivotFields')?.children.filter(({ isText }) => !isText) ?? []
      if (own.length !== fields.length)
        yield `a pivot table has ${own.length} fields and its cache ${fields.length}`
      for (const [index, field] of own.entries()) {
        const shared = fields[index]?.child('x:sharedItems')
        const count = childNames(shared).length
        const items = all({ tree }, 'x:item').filter(item => item.closest('x:pivotField') === field)
        if (items.some(item => Number(tree.attribute(item, 'x') ?? -1) >= count))
          yield `a field of a pivot table shows a value that its cache does not have`
      }
      const named = ['x:dataField', 'x:pageField'].flatMap(local =>
        valuesOf({ tree }, local, 'fld'),
      )
      if (named.some(at => Number(at) >= fields.length))
        yield 'a pivot table names a field that it does not have'
    }
  },
}

const commentWithoutBox: RepairRule = {
  id: 'xlsx/comment-without-box',
  *check(file) {
    for (const { tree, name } of partsOf(file, 'x:worksheet')) {
      const boxes = file.links(name).filter(({ kind }) => kind === 'vmlDrawing')
      const drawn = boxes
        .map(({ target }) => file.opc.part(target))
        .map(part => (part.ok ? Buffer.from(part.value).toString('latin1') : ''))
        .join('')
      const notes = drawn.match(/ObjectType\s*=\s*["']Note["']/g)?.length ?? 0
      const comments = file
        .linked(name, 'comments')
        .flatMap(own => all({ tree: file.tree(own)! }, 'x:comment')).length
      if (comments > notes) yield `a sheet has ${comments} comments and ${notes} boxes for them`
      if (comments > 0 && !tree.root.child('x:legacyDrawing'))
        yield 'a sheet with comments names no drawing for them'
    }
  },
}

const threadOfNobody: RepairRule = {
  id: 'xlsx/thread-of-nobody',
  *check(file) {
    const people = new Set(
      partsOf(file, 'tc:personList').flatMap(part => valuesOf(part, 'tc:person', 'id')),
    )
    for (const part of partsOf(file, 'tc:ThreadedComments')) {
      const ids = new Set(valuesOf(part, 'tc:threadedComment', 'id'))
      if (valuesOf(part, 'tc:threadedComment', 'personId').some(id => !people.has(id)))
        yield 'a remark is of a person whom the workbook does not know'
      if (valuesOf(part, 'tc:threadedComment', 'parentId').some(id => !ids.has(id)))
        yield 'an answer is to a remark that is not there'
    }
  },
}

const MOST_LIST = 255

const listTooLong: RepairRule = {
  id: 'xlsx/list-too-long',
  *check(file) {
    for (const { tree } of partsOf(file, 'x:worksheet'))
      for (const own of all({ tree }, 'x:dataValidation')) {
        const formula = own.child('x:formula1')
        const text = formula ? tree.textOf(formula) : ''
        if (text.startsWith('"') && text.length - 2 > MOST_LIST)
          yield `a list has ${text.length - 2} characters`
        for (const name of ['prompt', 'error'])
          if ((tree.attribute(own, name)?.length ?? 0) > MOST_LIST)
            yield `the ${name} of a validation is too long`
      }
  },
}

/** What Excel repairs in the objects of a workbook; its sheets and cells have rules next to their code. */
export const WORKBOOK_RULES: RuleSet = {
  mainRoot: 'x:workbook',
  rules: [
    workbookOutOfOrder,
    nameNotAllowed,
    tableNameTaken,
    totalsDisagree,
    drawingIdTwice,
    anchorOfNothing,
    chartOutOfOrder,
    chartAxisMissing,
    seriesTwice,
    pivotCacheMissing,
    pivotFieldsDisagree,
    commentWithoutBox,
    threadOfNobody,
    listTooLong,
  ],
}
