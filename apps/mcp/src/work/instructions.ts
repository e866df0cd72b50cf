import type { Toolset } from '@filewright/protocol'

const SHARED =
  'Filewright lets you work on the files of one folder, and nothing you do can wreck them. Paths are relative to that folder. Every answer says what part it shows and how to get the next; a result that is too long ends with the recall_tool_result call for the rest. A failure begins with its code, says what was found and what would work: read it before you try again, and send the corrected call if there is one.'

const WORKSHOP =
  'All writes go to a draft: no file on disk changes until a person says yes. Start with list_files and get_file_info, read the region you need with read_file, and edit workbooks, documents and slides with their *_operations tools: never by writing text over them. Totals come from table_query, not from reading. You read your own draft, so a read after a write shows what you wrote. When the work is done, call review_draft, tell the person what changed, and call publish_draft if they want it in the files. Calls without draft_id share one standing draft.'

const WORKSPACE =
  'You patch source files by line: read a file with workspace_read_file, and send its version with workspace_write_patch. A person says yes to each batch before it is written, all or none. A patch on an old version is carried over where that is proven, and refused with the current lines where it is not. After success the answer has the new version and the moved lines, so the next patch needs no new read.'

const GATE =
  'If publish_draft, discard_draft, undo, redo or a patch answers "pending", nothing was written: tell the person where to decide (the answer names it), go on with other work, and make the same call again when they have answered. Never answer for the person, and do not look for a way around the question.'

/** What a host shows its model once; hosts cut it at 2,048 characters. */
export function instructionsFor(toolset: Toolset): string {
  return [SHARED, toolset === 'workshop' ? WORKSHOP : WORKSPACE, GATE].join('\n\n')
}
