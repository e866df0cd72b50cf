import type { ApplyOptions } from '../../../format.ts'
import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { DocumentPackage } from '../parts/document-package.ts'
import type { Paragraph } from '../story/story.ts'
import { canFollow } from './bound-data.ts'

/** What a guard needs of a running operation. */
export interface GuardedEditor {
  readonly options: ApplyOptions
  readonly tracking: unknown
  readonly manuscript: { readonly package: DocumentPackage }
  note(text: string): void
}

/** Content controls that a template's author locked. */
export function refuseUnlessEditable(editor: GuardedEditor, paragraph: Paragraph): void {
  for (let at: LiveNode | null = paragraph.node; at; at = at.parent) {
    if (at.name !== 'w:sdt') continue
    const bound = boundTo(editor, paragraph.story.tree, at)
    if (bound !== undefined) throw new Refusal('CONFLICT', `${paragraph.id}: ${bound}`)
    if (isLockedControl(paragraph.story.tree, at)) refuseUnlessAllowed(editor, paragraph.id)
  }
}

export function isLockedControl(tree: LiveTree, control: LiveNode): boolean {
  const lock = tree.attribute(control.child('w:sdtPr')?.child('w:lock'), 'w:val')
  return lock === 'contentLocked' || lock === 'sdtContentLocked'
}

/** What is in a locked content control. */
export function refuseUnlessAllowed(
  editor: Pick<GuardedEditor, 'options' | 'note'>,
  id: string,
): void {
  if (!editor.options.allowProtected)
    throw new Refusal(
      'PROTECTED',
      `${id} is in a content control that is locked; ask the person, then send allow_protected: true`,
    )
  editor.note('a content control is locked')
}

/**
 * Word fills a bound control from its data when it opens the file, so new text in it would be lost where the data cannot
 * follow: it has no tracked changes, and dates and choices have values of their own.
 */
export function boundTo(
  { tracking, manuscript }: Pick<GuardedEditor, 'tracking' | 'manuscript'>,
  tree: LiveTree,
  control: LiveNode,
): string | undefined {
  const properties = control.child('w:sdtPr')
  const binding = properties?.child('w:dataBinding')
  if (!binding || (!tracking && canFollow(manuscript.package, tree, control))) return undefined
  const name = tree.attribute(properties?.child('w:alias'), 'w:val')
  return `it is in a content control that shows ${name ? JSON.stringify(name) : 'a value'} of the document's data (${tree.attribute(binding, 'w:xpath') ?? 'custom XML'}), which replaces new text when the file is opened; use fill_placeholders, or set the value there`
}
