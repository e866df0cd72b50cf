import { requirementsOf } from './requirement.ts'

const editorial = 'editorial; nothing of the product can be observed'
const olderFlow = 'CONTRACT §7: there is no older flow to migrate from'

/** The agentic workshop: the loop, the tools it offers, its journal and its limits. */
export const adr0010 = requirementsOf('ADR-0010', {
  Status: {
    proposed: { behaviour: 'The state and date of the record.', notApplicable: editorial },
  },
  Superseded: {
    'other workflow': {
      behaviour: 'Another document took over the order of execution.',
      notApplicable: 'CONTRACT §7 keeps the unified loop as the default; plan first is a mode',
    },
  },
  Context: {
    'large files':
      'A task on a file bigger than the context is completed by reading regions; no content is cut silently.',
    'several files':
      'A task over several files reads each as needed; adding a file does not shrink the others.',
    'model explores': 'The model can ask for any part of any readable file during a run.',
    'no blind guesses':
      "A run that ends without a change is reported as having changed nothing, with the model's text.",
    'failure example':
      'Asked to translate a workbook larger than any context, a run maps it, reads it by region, writes the translation by region into a copy in the draft, and the person reviews it by cell and publishes it.',
    'failure example contradicted':
      'When the model says that it is updating a file and calls no tool, the person sees at the end of the run that no file was changed.',
  },
  Decision: {
    'iterate until complete':
      'The model is called again with the results of its tool calls until it asks for none.',
  },
  'New Architecture': {
    'first request':
      'The first request of a run holds the system prompt, the manifest with metadata only, and the schemas of the offered tools.',
    'no content in the manifest': 'The manifest shows no content of any file.',
    'text and calls together':
      'A response with text and tool calls gives both: the text is shown, the calls run.',
    'text only ends': 'A response with text only is streamed and ends the run.',
    'calls continue': 'After tool calls the results go back to the model and the loop continues.',
    'stop ends': 'A response that says stop ends the run.',
  },
  'Tool Schema': {
    'function calling format':
      'Each offered tool has the OpenAI function form: type function, name, description, parameters as a JSON schema.',
  },
  'File Discovery': {
    list_files: 'list_files lists all files of the workspace with their metadata.',
    'list_files no arguments': 'list_files works with an empty object of arguments.',
  },
  'Reading Files': {
    'read_file path': 'read_file needs `path`, and only that.',
    'read_file sheet': '`sheet` picks a sheet of a workbook by name.',
    'read_file range': '`range` picks cells such as A1:E50 of a workbook.',
    'read_file section heading': '`section` picks a section of a document by its heading.',
    'read_file section index': '`section` picks a section of a document by its index.',
    'read_file slide_index': '`slide_index` picks a slide, counted from 0.',
    'read_file pages': '`pages` picks pages of a pdf, such as 1-5.',
    'read_file line_start': '`line_start` is the first line to read, counted from 1.',
    'read_file line_count': '`line_count` is the number of lines to read.',
    'old page parameters': 'page_start and page_end are not parameters of read_file.',
    'guidance map first':
      'The guidance of read_file says to look at the map with get_file_info first and then read regions.',
  },
  'File Information': {
    'get_file_info path': 'get_file_info needs `path`, and only that.',
    'get_file_info xlsx': 'get_file_info of a workbook lists its sheets.',
    'get_file_info pdf': 'get_file_info of a pdf gives the number of pages.',
    'get_file_info image': 'get_file_info of an image gives its dimensions.',
  },
  'Writing Files': {
    'write_text_file creates': 'write_text_file creates a text file from `path` and `content`.',
    'write_text_file replaces': 'write_text_file replaces the text of a file that exists.',
    'write_text_file kinds': 'write_text_file takes md, txt, csv, json and other text formats.',
    'write_text_file required': 'write_text_file without path or without content is refused.',
  },
  'Office Operations': {
    'xlsx_operations path': 'xlsx_operations needs `path`.',
    'xlsx_operations operations':
      'xlsx_operations needs `operations`, a list of objects with `op`.',
    'xlsx_operations create_if_missing':
      'With `create_if_missing` a workbook that does not exist is created; without it the call fails.',
    'xlsx op required':
      'An operation without `op`, or with an unknown one, is refused with the names that exist.',
    'xlsx ensure_sheet':
      'ensure_sheet makes the sheet when it is missing and leaves an existing one alone.',
    'xlsx set_cells': 'set_cells writes each {cell, value} of `cells` on `sheet`.',
    'xlsx set_range': 'set_range writes the 2D array `values` from the cell `start` on `sheet`.',
    'xlsx delete_sheet': 'delete_sheet removes the sheet.',
    docx_operations:
      'docx_operations takes path, create_if_missing and operations in the same way.',
    pptx_operations:
      'pptx_operations takes path, create_if_missing and operations in the same way.',
    'docx replace_text search': 'docx_operations replace_text takes its text in `search`.',
    'docx replace_text find':
      'docx_operations replace_text accepts the older name `find` for `search`.',
    'pptx set_slide_text index': 'pptx_operations set_slide_text takes its slide in `index`.',
    'pptx append_bullets index': 'pptx_operations append_bullets takes its slide in `index`.',
    'pptx slide_index alias':
      'Both slide operations accept the older name `slide_index` for `index`.',
  },
  'Key Design Principles': {
    '1 model drives the loop':
      "The model's calls alone decide what is read, what is written and when the run ends.",
    '2 metadata first':
      'Nothing of a file but its metadata reaches the model before the model asks for it, active files aside.',
    '3 many calls':
      'A run of dozens of calls continues to its end; no call is dropped to save requests.',
    '4 writes go to the draft':
      'No write tool of the workshop changes a file of the workspace before publishing.',
    '5 streaming continues':
      'Text before, between and after tool calls reaches the client as it comes.',
    '6 history preserved':
      'The next request of the same conversation holds the earlier tool calls and results.',
  },
  'Implementation Changes': {
    'source files': {
      behaviour: 'Which files of another code base change.',
      notApplicable:
        'names Go and Dart files of another product; the behaviour behind them has entries',
    },
  },
  'OpenAI Client': {
    'tool definition':
      'A request sends each tool as {type: function, function: {name, description, parameters}}.',
    'tool call':
      'A tool call of the model has an id, the type function, a name and its arguments as a JSON text.',
    response: 'A response is read as content, tool calls and a finish reason.',
    'without streaming': 'An endpoint that answers in one piece works as one that streams.',
    streaming:
      'With streaming the text arrives in deltas and each tool call once, when it is complete.',
  },
  'New Workshop Flow': {
    'one entry point':
      'WorkshopRunAgent runs the whole loop for one message; there is no separate propose or apply step.',
    'manifest not content':
      'The run builds its first messages from the manifest and not from contents.',
    'results appended':
      'Results of executed calls are added to the messages before the next request.',
    'exit without calls': 'The loop ends at the first response without tool calls.',
    'final state': 'WorkshopRunAgent returns the final state of the run.',
  },
  'Tool Handlers': {
    dispatch: 'Each tool is found by its name and gets the arguments of the call.',
    'workbench scope': 'A handler sees the workspace of its session and no other.',
    'unknown name': 'A call of an unknown tool gets a failed result and the loop continues.',
  },
  'IPC Updates': {
    WorkshopToolExecuting:
      'When a tool starts, WorkshopToolExecuting is sent with tool_name and path.',
    WorkshopToolComplete:
      'When a tool ends, WorkshopToolComplete is sent with tool_name and success.',
    WorkshopAssistantStreamDelta: 'Text of the model is sent as WorkshopAssistantStreamDelta.',
  },
  'UI Changes': {
    'follows the loop':
      'The page shows a run as it happens: text, tool calls and results in their order.',
    'tool indicators': 'The page shows a small indicator while a tool runs and how it ended.',
    'no automatic apply': 'The page never applies changes by itself when a run ends.',
  },
  'Conversation Message Format': {
    user_message: 'The export has user_message lines with message_id, role user and text.',
    assistant_message:
      'The export has assistant_message lines with message_id, role assistant and text.',
    'assistant tool_calls':
      'An assistant_message with calls has tool_calls: id and function with name and arguments.',
    tool_result: 'The export has tool_result lines with message_id, tool_call_id and content.',
    'one JSON a line':
      'Each line of the export is one JSON object, in the order of the conversation.',
    example: 'The six example lines are read as a conversation and written back the same.',
  },
  'Safety & Limits': {
    '1 calls per turn': 'A turn runs at most 50 tool calls; the 51st gets a result that says so.',
    '2 turns': 'A run ends after 50 turns and says so.',
    '3 timeout': 'A tool that takes over 30 seconds is ended with TIMEOUT, and the loop continues.',
    '4 draft only': 'No sequence of workshop tool calls writes outside the draft.',
    '5 read-only formats': 'Writes to pdf and image files are rejected.',
    '6 no path traversal': 'No tool of the workshop reaches a path outside the workspace.',
  },
  Migration: {
    'proposal system': {
      behaviour: 'An older system of proposals is kept for a while.',
      notApplicable: olderFlow,
    },
    'side by side': { behaviour: 'Old and new flow run side by side.', notApplicable: olderFlow },
    'feature flag': { behaviour: 'A flag turns the loop on.', notApplicable: olderFlow },
    deprecation: { behaviour: 'The older flow is retired.', notApplicable: olderFlow },
  },
  Consequences: {
    heading: {
      behaviour: 'The section has no text.',
      notApplicable: 'it only holds its subsections, which have their own entries',
    },
  },
  Positive: {
    'any size':
      'The memory and the tokens of a task depend on the regions read, not on the size of the file.',
    'multiple files': 'One run can read and change several files of different formats.',
    'completion rate': {
      behaviour: 'More tasks are completed.',
      notApplicable: 'a comparison with a product that is not here',
    },
    'clarifying question':
      "A model that asks a question instead of calling a tool ends its run, and the person's answer continues the same conversation.",
  },
  Negative: {
    'cost shown': 'The cost of the many calls is counted and shown for each run.',
    'history bounded':
      'A history that grows with tool results is kept within the context of the model.',
    complexity: { behaviour: 'The implementation is more complex.', notApplicable: editorial },
  },
  Neutral: {
    'progress visible': 'During a long run the person sees text or a running tool at all times.',
  },
  'Alternatives Considered': {
    heading: {
      behaviour: 'The section has no text.',
      notApplicable: 'it only holds its subsections, which have their own entries',
    },
  },
  'Increase context limits': {
    'not needed':
      'A file larger than the context of the model can be worked on without a larger context.',
  },
  'Smart chunking': {
    'no lossy summaries': 'What read_file returns of a region is its content, never a summary.',
  },
  'Multi-stage pipeline': {
    'unified loop':
      'Exploring, planning and writing happen in one loop unless a person asks for a plan first.',
  },
  References: {
    links: { behaviour: 'Further reading.', notApplicable: editorial },
  },
})
