import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { findUnholdable } from '../../cell/unholdable.ts'
import type { Editor } from '../editor.ts'
import { autoFilter } from './auto-filter.ts'
import { conditionalFormat } from './conditional-format.ts'
import { freezePanes } from './freeze-panes.ts'
import { group, ungroup } from './group-lines.ts'
import { printSetup } from './print-setup.ts'
import { clearStyle, setStyle } from './set-style.ts'

export const LOOK_HANDLERS = {
  set_style: printable(setStyle),
  clear_style: printable(clearStyle),
  conditional_format: printable(conditionalFormat),
  freeze_panes: printable(freezePanes),
  auto_filter: printable(autoFilter),
  print_setup: printable(printSetup),
  group: printable(group),
  ungroup: printable(ungroup),
}

/** Names, formats, headers and filters are written into the file as they are: XML cannot hold every character. */
function printable<Args>(handler: (editor: Editor, args: Args) => OperationResult) {
  return (editor: Editor, args: Args) => {
    if (hasUnprintable(args))
      throw new Refusal(
        'INVALID_ARGUMENT',
        'it holds a character that no workbook can hold, such as a control character; leave it out',
      )
    return handler(editor, args)
  }
}

function hasUnprintable(value: unknown): boolean {
  if (typeof value === 'string') return findUnholdable(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, own]) => hasUnprintable(key) || hasUnprintable(own))
}
