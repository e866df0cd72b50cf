import type { LiveTree } from '../../../opc/index.ts'
import type { DocumentPackage } from './document-package.ts'

/** What Word shows of a document under its properties, by the names that calls use. */
export const CORE_PROPERTIES: Readonly<Record<string, string>> = {
  title: 'dc:title',
  subject: 'dc:subject',
  author: 'dc:creator',
  keywords: 'cp:keywords',
  description: 'dc:description',
  category: 'cp:category',
  status: 'cp:contentStatus',
}

export function coreOf(own: DocumentPackage): LiveTree | undefined {
  return own.findTree(own.links('').find(({ kind }) => kind === 'core-properties')?.target)
}

/** '' for a property that is not there. */
export function corePropertyOf(own: DocumentPackage, name: string): string {
  const tree = coreOf(own)
  const node = tree?.root.child(CORE_PROPERTIES[name] ?? '')
  return (node && tree?.textOf(node)) ?? ''
}
