import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §4. */
export const toolsets: SectionEntries[string] = {
  'declared once':
    'One declaration of a tool gives its catalog entry, OpenAI function, MCP tool, docs and UI label; none is written by hand.',
  'names match':
    'Every tool name matches `^[a-zA-Z0-9_-]{1,64}$`; another name is refused when declared.',
  'dotted alias': '`workspace.read_file` runs workspace_read_file.',
  'workshop by default': 'A model is offered the workshop toolset unless another is chosen.',
  'toolset binds a run':
    'In a run a model can call the tools of the request it answers, and their aliases; any other is UNKNOWN_TOOL with the offered names, whatever rules or --approve say.',
  'toolset binds mcp': 'An MCP connection can call the tools of its toolset and no others.',
  'own calls run any tool':
    'A call of a person or a product (`filewright call`, HTTP, rpc) runs any tool of the catalog.',
  'offered list bounded':
    "The offered tool list takes at most a quarter of the model's window and at most 24 KB.",
  // arguments
  'arguments strict': 'An argument that a tool does not have is refused by its name.',
  'operations strict':
    'A field that an operation object does not have is refused by its name, in every operation of every tool.',
  'remark dropped':
    'A mere remark among the arguments, such as `reason`, is dropped with a warning and the call runs.',
  'corrected does what was meant':
    'A `corrected` call, sent back, succeeds and does what was meant.',
  'corrected only by synonyms':
    'A refusal has `corrected` only when every key that it drops or renames is a known synonym; a qualifier such as `append` is never dropped.',
  'corrected loses nothing':
    'No `corrected` call overwrites, clears or deletes more than was asked.',
  'corrected differences only':
    'A `corrected` call of over 1,000 characters is given as its differences, with `changesOnly: true`.',
  'workspace approved then applied':
    'Each change of a workspace tool is put before a person, or a rule, and then applied at once.',
  'rule by size':
    'A rule with a size decides about changes that bring up to that many bytes of new content, counted with their line ends.',
  'rule by path':
    'A rule on a folder or a pattern, however it is spelled, applies to its content and to nothing else.',
  'rule that matches nothing': 'A rule that could match nothing is refused and not kept.',
  'workshop to the draft':
    'Each write of a workshop tool goes to the draft, and a person publishes.',
  'workspace toolset':
    'The workspace toolset offers the tools of its table and those that both toolsets have.',
  'workshop toolset':
    'The workshop toolset offers the tools of its table and those that both toolsets have.',
  'execution locations':
    'Each tool runs where its row says: on the server, on the client, or checked on one and applied on the other.',
  // workspace_read_file
  'workspace_read_file on the server': 'workspace_read_file runs on the server.',
  'workspace_read_file lineStart': '`lineStart` and `lineCount` pick lines of the file.',
  'workspace_read_file file fields':
    '`file` has path, docPath, sizeBytes, content, isTruncated, sha256, version, lineCount, eol, bom and encoding.',
  'workspace_read_file sizeBytes whole':
    '`file.sizeBytes` is of the whole file when a part was read.',
  'workspace_read_file encoding label': '`file.encoding` is a WHATWG label.',
  'workspace_read_file maxBytes below 1': '`maxBytes` below 1 is INVALID_ARGUMENT.',
  'workspace_read_file 10 MB':
    'Without `maxBytes` a read gives at most 10 MB, then `isTruncated` and the next `lineStart`.',
  'workspace_read_file cuts on a character': '`maxBytes` cuts on the border of a character.',
  'workspace_read_file whole hash': 'The hash of a partial read is that of the whole file.',
  'workspace_read_file binary':
    'Reading a binary file fails with INVALID_ARGUMENT, kind unsupported, and the message points to the tool for that format.',
  // workspace_write_patch, workspace_create_file
  'workspace_write_patch runs on both':
    'workspace_write_patch is checked on the server and applied by the client.',
  'workspace_create_file checked on the server':
    'The server checks the arguments of workspace_create_file, records the call and forwards it.',
  'workspace_create_file private':
    'Creating or replacing a key file fails with PRIVATE_FILE until a person allows it.',
  'workspace_create_file removes folders':
    'A create that fails after it made parent folders leaves none of them behind.',
  // workspace_get_patch_change
  'workspace_get_patch_change by id':
    'workspace_get_patch_change finds a batch, one of its file patches or one of its changes, given the id.',
  'workspace_get_patch_change diff': 'Its answer has the derived unified diff.',
  'workspace_get_patch_change fate':
    'Its answer tells the fate: stored, approved, applied, uploaded, or refused, or conflict.',
  'workspace_get_patch_change any session': 'An id resolves from any session of the workspace.',
  'workspace_get_patch_change own workspace': 'An id resolves from no other workspace.',
  // lists and search
  'workspace_list_files paged': 'workspace_list_files lists the files page by page, each once.',
  'workspace_list_active_files paged':
    'workspace_list_active_files lists the active files page by page.',
  'workspace_list_active_files entry':
    'An active entry has docPath, displayPath, sizeBytes, isDirty, isActive and sha256.',
  'workspace_search ranked': 'workspace_search answers with snippets, the best first.',
  'workspace_search snippet': 'A snippet has DocPath, ChunkPath, lines, language and text.',
  'workspace_search chunkPath shortest':
    'A ChunkPath names its place by the shortest qualified name that is unique in the file.',
  'workspace_search documents': 'workspace_search finds text in code and in documents.',
  'workspace_find_symbol definitions': 'workspace_find_symbol finds the definitions of a symbol.',
  'workspace_find_symbol usages': 'workspace_find_symbol finds the usages of a symbol.',
  workspace_edit_file:
    'workspace_edit_file replaces exact and unique texts; the change is approved and applied as a patch.',
  'workspace_edit_file offered':
    'workspace_edit_file is offered to models with a small window and with --light, and otherwise not.',
  // list_files, get_file_info
  'list_files manifest':
    'list_files answers path, kind, size, version and draft state of each file.',
  'list_files paged': 'list_files is paged, each file once.',
  'get_file_info alias': 'get_file_map runs get_file_info.',
  'get_file_info workbook':
    'The map of a workbook has sheets with used ranges, islands, headers, formulas, charts and merged cells.',
  'get_file_info document':
    'The map of a document has sections with sizes, tables, images, comments and revisions.',
  'get_file_info deck': 'The map of a deck has slides with titles, layouts and notes.',
  'get_file_info pdf': 'The map of a pdf has pages with the outline.',
  'get_file_info csv': 'The map of a csv has its schema.',
  'get_file_info image': 'The map of an image has its size.',
  'get_file_info chunk boundaries': 'A map names chunk boundaries that read_file takes as regions.',
  // read_file
  'read_file sheet and range': 'read_file reads a workbook by `sheet` and `range`.',
  'read_file section': 'read_file reads a document by `section`, a heading or an index.',
  'read_file slide_index': 'read_file reads a slide by `slide_index`, counted from 0.',
  'read_file pages': 'read_file reads a pdf by `pages`, such as "1-5".',
  'read_file lines': 'read_file reads text by `line_start`, counted from 1, and `line_count`.',
  'read_file foreign selector':
    'A selector of another format is refused as invalid and never ignored.',
  'read_file beyond the end':
    'Asking for a sheet range, slide, page or line past the last gives NO_SUCH_REGION and says which is the last.',
  'read_file image': 'Reading an image answers its kind and its size.',
  'read_file image to a model that sees': 'A model that sees gets the picture itself.',
  'read_file says what part':
    'Every answer tells which part of the file it holds and the size of the whole.',
  'read_file says how to go on':
    'Every partial answer says how to get the next part, and that call works.',
  // search_files
  'search_files text': 'search_files finds text in every readable format.',
  'search_files regular expression': 'search_files takes a regular expression.',
  'search_files narrowed':
    'search_files takes globs, gives lines of context and counts the hits of each file.',
  'search_files regions': 'Each hit of search_files is a region that read_file takes.',
  // text writes
  'write_text_file full text': 'write_text_file writes the full text of a file into the draft.',
  'edit_text_file edits': 'edit_text_file replaces each `search` by its `replace`.',
  'edit_text_file unique':
    'A `search` that is not found, or found more than once without `all`, is refused with the places.',
  'edit_text_file exact': 'A `search` that differs from the text in white space is not found.',
  'edit_text_file all': '`all: true` replaces at every place.',
  'text onto office refused':
    'write_text_file and edit_text_file on a .xlsx, .pdf or .png name fail with kind unsupported.',
  'created text onto office refused':
    'workspace_create_file on the name of a workbook, a document or another format that is no text fails with kind unsupported, whatever its capitals; nothing is written.',
  // office operations
  'operations listed':
    "docs/tools.md lists every operation of each format, derived from the format's own table.",
  create_if_missing: '`create_if_missing` makes a minimal, valid workbook, document or deck.',
  'create_new alias': '`create_new` is accepted for `create_if_missing`.',
  copy_from: '`copy_from` starts from a copy of another file.',
  'operations all or none': 'When one operation fails, none of the call is in the draft.',
  'operations results': 'The answer has one result for each operation, in order.',
  'set_cells fields': 'set_cells takes {sheet, cells: [{cell, value}]}.',
  'set_range fields': 'set_range takes {sheet, start, values}.',
  'replace_text fields': 'replace_text takes {search, replace}, and `find` for `search`.',
  'replace_text exact':
    'replace_text matches exactly, with case, at every place unless `nth` picks one.',
  'replace_text crosses runs': 'replace_text finds text that is split over runs.',
  'replace_text stays inside':
    'replace_text does not match across pictures, tabs, note marks or the borders of links.',
  'set_slide_text fields': 'set_slide_text takes {index, title, body}, the index counted from 0.',
  'append_bullets fields': 'append_bullets takes {index, bullets}, the index counted from 0.',
  'slide_index alias': '`slide_index` is accepted for `index`.',
  'new rows look alike': 'New rows look like the rows next to them unless the call says otherwise.',
  'new paragraphs look alike':
    'New paragraphs look like the paragraphs next to them unless the call says otherwise.',
  'new slides look alike':
    'New slides look like the slides next to them unless the call says otherwise.',
  'formula values answered': 'A write that sets formulas answers with their values.',
  // tracked changes
  'reading revisions':
    'A document with tracked changes reads as if all of them were accepted, and the answer says that there are revisions.',
  'tracked when asked': 'An edit becomes a tracked change when the call asks for it.',
  'tracked when demanded':
    'Where the protection of a document demands tracked changes, every edit is one, also with `track: false`.',
  'tracked when on':
    'Where tracking is on in a document, an edit is tracked unless `track: false`.',
  'tracking switch stays': "An edit leaves the document's own tracking switch as it was.",
  // files, tables, recall, plan
  'file_operations copy': 'file_operations copies a file inside the draft.',
  'file_operations move': 'file_operations moves a file inside the draft.',
  'file_operations delete':
    'file_operations deletes a file inside the draft; the workspace has it until published.',
  'file_operations export':
    'file_operations exports a file to pdf in the draft where LibreOffice is installed, and says so where it is not.',
  render_file:
    'render_file gives a sheet, a document or a slide as a picture where LibreOffice is installed, and says so where it is not.',
  'table_query select': 'table_query runs one SELECT over csv files and sheets.',
  'table_query only select': 'table_query refuses anything but one SELECT.',
  'table_query totals computed':
    'Totals of table_query are those of the rows, also beyond the rows that are shown.',
  table_export: 'table_export writes the rows of a query to a csv or a sheet in the draft.',
  'recall_tool_result paged':
    'The pages of recall_tool_result, fetched by offset, put together are the full result, and none is over the bound.',
  'recall_tool_result both toolsets': 'recall_tool_result is in both toolsets.',
  'update_plan shown': "The model's checklist is shown to the person.",
  ask_person: 'ask_person asks one question with choices, and the question survives a restart.',
  delegate:
    'delegate answers a question by a fresh run that can only read, is bounded, and cannot delegate again.',
  'plan and delegate need a window':
    'update_plan and delegate are not offered to a model with a window below 32k.',
  'pdf_operations fills':
    'pdf_operations fills the fields of a form and flattens it, in the draft.',
  'pdf_operations places':
    'pdf_operations places text, pictures and annotations on a page that is named from 1.',
  'pdf_operations pages': 'pdf_operations merges, splits, reorders, rotates and stamps pages.',
  'pdf_operations redacts':
    'What pdf_operations redacts is in no byte of the new file, older revisions included.',
  'pdf_operations protects': 'pdf_operations gives a pdf a password.',
  'pdf_operations incremental':
    'Where the file allows it, an edit of a pdf leaves all earlier bytes as they are and is appended.',
  'extract_data by schema': 'extract_data answers values by a schema from files of any format.',
  'extract_data origin':
    'Each value of extract_data names its origin: hash of the file, page and box, cell, paragraph or shape.',
  'extract_data checks': 'Each value of extract_data names the checks that it passed.',
  trace_value: 'trace_value says where a value of a file came from.',
  edit_files:
    'edit_files makes one replacement, or the same operations, over a glob in the draft, with a result for each file.',
  'read sent back changes nothing':
    'What a read of a file shows, sent back as an edit, changes nothing.',
  'counts are those of the diff':
    'The number that an answer gives for an edit is the number of changes in its diff.',
  'edit names its version':
    'An edit that was planned on another version of the file is refused, or made only where that version still holds.',
  'moved id answered':
    'An id whose place now has other content is refused, and the refusal gives the present id.',
  'formula answers in the text':
    'The text that a model reads after setting formulas has their values, errors first.',
  'formula without a value':
    'For each formula without a value an answer gives the reason and a form that would be computed.',
  'results as in Excel':
    'No result is written that Excel would not give; where that is not proven, none is written.',
  'password at a prompt':
    'An encrypted office file or pdf opens with a password that a person types at a prompt without echo.',
  'password in no record':
    'A password is in no argument, log, answer or request to a model, and is asked again after a restart.',
  'drafts of encrypted files sealed':
    'The plain draft of an encrypted file is sealed in the state, and is neither uploaded nor indexed.',
  'encrypted at publish': 'A file that was encrypted is encrypted when it is published.',
  // what is refused
  'read-only formats':
    'A write to an image, odt or another read-only format is refused with kind unsupported.',
  'protected refused': 'Editing a protected sheet or document fails with PROTECTED.',
  allow_protected: 'With `allow_protected: true` the edit is made, and review shows that.',
  'signed refused': 'An edit that invalidates a digital signature fails with SIGNED.',
  allow_break_signature:
    'With `allow_break_signature: true` the edit is made, and review shows that.',
  'encrypted refused':
    'An encrypted file whose password nobody gave is refused with ENCRYPTED and what would work.',
  'pdf with empty password':
    'A pdf whose user password is empty is read like any other, even when its permissions forbid copying.',
  'broken signature parts stay':
    'After an allowed edit of a signed file the bytes of its signature parts are unchanged.',
  'open in Office edited': 'A file with a `~$` lock next to it is edited in the draft.',
  'open in Office warns': 'Publishing a file that is open in Office warns.',
}
