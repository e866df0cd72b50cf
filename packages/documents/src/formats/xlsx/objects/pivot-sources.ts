import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { LiveBook } from './live-book.ts'

/** The sources of pivot tables, as the workbook's caches name them. */
export function pivotCaches(live: LiveBook): readonly {
  readonly part: string
  readonly tree: LiveTree
  readonly source: LiveNode | undefined
}[] {
  return live.package
    .links(live.package.mainName)
    .filter(({ kind }) => kind === 'pivotCacheDefinition')
    .flatMap(({ target }) => {
      const tree = live.package.findTree(target)
      const source = tree?.root.child('x:cacheSource')?.child('x:worksheetSource')
      return tree ? [{ part: target, tree, source }] : []
    })
}

/** Those that are based on the table of that name. */
export function cachesOfTable(live: LiveBook, table: string) {
  return pivotCaches(live).flatMap(({ tree, source }) =>
    source && tree.attribute(source, 'name')?.toLowerCase() === table.toLowerCase()
      ? [{ tree, source }]
      : [],
  )
}
