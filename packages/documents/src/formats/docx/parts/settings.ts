import type { DocumentPackage } from './document-package.ts'
import { isOn } from './values.ts'

export interface DocumentSettings {
  /** What an enforced protection still allows: `readOnly`, `comments`, `forms`, `trackedChanges`. */
  readonly protection: string | undefined
  /** The document records changes. */
  readonly isTracking: boolean
  readonly hasEvenHeaders: boolean
}

export function settingsOf(own: DocumentPackage): DocumentSettings {
  const tree = own.linkedTree('settings')
  const protection = tree?.root.child('w:documentProtection')
  const edit = tree?.attribute(protection, 'w:edit')
  const isEnforced = tree !== undefined && protection !== undefined
  const enforced = isEnforced && isOn(tree.attribute(protection, 'w:enforcement') ?? '0')
  const tracks = tree?.root.child('w:trackRevisions')
  return {
    protection: enforced && edit !== undefined && edit !== 'none' ? edit : undefined,
    isTracking: tracks !== undefined && isOn(tree?.attribute(tracks, 'w:val')),
    hasEvenHeaders: tree?.root.child('w:evenAndOddHeaders') !== undefined,
  }
}
