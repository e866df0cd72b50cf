export * from './live-node.ts'
export { LiveTree } from './live-tree.ts'
export { NamespaceScope, uriOfPrefix } from './namespaces.ts'
