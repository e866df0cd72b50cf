import type { SectionEntries } from '../requirement.ts'
import { limits } from './limits.ts'

/** CONTRACT §7. */
export const loop: SectionEntries[string] = {
  // what the prompt is made of
  'prompt guidance of offered tools':
    'The prompt has the guidance of the tools that are offered and of no others.',
  'prompt manifest': 'The prompt has the manifest, metadata only.',
  'prompt directory snapshot':
    'The prompt has a bounded snapshot of the folders, without build output.',
  'prompt snapshot sized':
    "The snapshot is sized to the model's window, names every top-level folder before the files of one, and counts what it leaves out.",
  'prompt paths used': 'The prompt has the paths used so far.',
  'prompt active files': 'The prompt has the active files.',
  'prompt prefix stable':
    'The manifest, instructions, paths used and active files are late layers: the prompt before them is the same from request to request.',
  'instructions loaded':
    'The AGENTS.md of a folder is in the prompt, marked as words of the folder.',
  'instructions allowed':
    'The AGENTS.md of a folder is loaded after a person says yes once for this folder and this content.',
  'instructions grant nothing': 'No instruction file changes a gate or a rule.',
  'text streams': 'Text streams to the person between tool calls.',
  'model decides the end':
    'A run continues while the model calls tools and ends when it calls none.',
  'cut answer':
    "An answer that its model's output limit cut is not taken for done: it is gone on with, its calls are not run, and after three in a row the run ends at a limit.",
  // the closing line
  'closing line':
    'The last line of a run is computed by us from the log and counts the files and changes written or in the draft.',
  'closing line names the files': 'The closing line names the files that are changed.',
  'closing line net changes':
    'The closing line counts net changes: a change that was reverted does not count.',
  'closing line nothing changed': 'A run without a change ends with "No file was changed".',
  'closing line however ended':
    'A cancelled run, a failed one and one stopped by a limit have a closing line too.',
  'false claim contradicted':
    'A model that claims a change that it did not make is contradicted by the closing line.',
  // order of calls
  'reads in parallel': 'Three slow reads of one turn take the time of one.',
  'writes in order': 'Writes of one turn run in the order asked.',
  'read waits for writes':
    'A read waits for the writes that were asked before it and sees their effect.',
  'results in order': 'Results are given to the model in the order of the calls.',
  // loop guard
  'guard tells at 2': 'At the second same call with the same result the model gets a hint.',
  'guard suppresses at 3':
    'The third same call with the same result is not run and gets a synthetic result.',
  'guard canonical arguments':
    'Calls that differ only in spacing or in the order of keys are the same call.',
  'guard same error class': 'Calls that go on failing with the same class of error are noticed.',
  'guard alternation': 'Two calls that alternate without anything new are noticed.',
  'guard progress resets':
    'A new result or a new version resets the guard: a write in many blocks is not stopped.',
  'guard compaction resets': 'A compaction resets the guard.',
  // receipts
  receipt:
    'A result over the bound reaches the model as a receipt: shape, first rows or lines, and an id.',
  'receipt recalled': 'The id of a receipt gets the whole result with recall_tool_result.',
  'read within the bound whole': 'A read within the bound reaches the model whole.',
  // one log
  'log row': 'A row of the log has session, seq, conversation, type, time and body.',
  'log journal types': "ADR-0010's three types of line are rows of the log.",
  'log context row':
    'A context row names the parts of a prompt: hashes of its layers, version of the manifest, active docPath@version.',
  'log other rows':
    'approval, decision, steer, cancel, compaction, usage, limit and call-start are rows of the log.',
  'log new rows': 'plan and question are rows of the log.',
  'log rewind row':
    'rewind is a row of the log: the rows it names leave the projection, and a process killed while going back does it once or not at all.',
  'log only memory':
    'The next step depends on the rows alone: folding them one by one equals computing from row one, and two processes decide the same.',
  'log only grows': 'Rows are appended and never changed or removed by a run.',
  'events projected':
    'The events of a client can be rebuilt from the rows, except for text deltas, which are not stored.',
  'reconnect text in one piece':
    'A client that reconnects in the middle of an answer gets the text until then as a single piece.',
  'log export':
    "The export of a conversation is ADR-0010's JSONL, and a scripted model replays it.",
  'resumes anywhere':
    'A process killed at any point is resumed by any instance, to the same final tree.',
  'calls restored from the draft':
    'A write to a draft whose rows a crash took from the log is in the log again, once.',
  'call in flight reconciled':
    "A crash in the middle of a tool call leads to one effect and one result, found again by the call's id.",
  inbox:
    'Answers of clients and people go to the inbox of the session, even while no run is active.',
  'lease holder appends':
    "Only the holder of a session's lease appends to its log; a process that lost it is refused.",
  // control
  'cancel at tool borders': 'A cancel takes effect at the next border of a tool.',
  'steer at tool borders':
    'A message of the person during a run reaches the model at the next border of a tool.',
  'compaction at 80 %': "A conversation is compacted at 80 % of the model's context.",
  'compaction unknown context': 'A model of unknown context is taken to have 32k.',
  'compaction keeps':
    'A compaction keeps the rules, open approvals, file versions and active files.',
  'compaction receipts first':
    'A compaction turns old results into receipts before it summarises anything.',
  'compaction summary apart':
    "A summary is a separate layer, never nested in the next one and never shown as the person's words.",
  "compaction keeps the person's words":
    "The person's messages stay word for word, the first task and the newest always, within half the window; a longer one keeps its head, its tail and an id for recall.",
  'compaction keeps the plan': 'A compaction keeps the plan.',
  'conversation goes on':
    "A conversation continues with the person's next message, in the same session.",
  'retry rate limits': 'A rate limit is retried with back-off, and the person sees it.',
  'retry broken streams': 'A broken stream is retried with back-off, and the person sees it.',
  'answer bounded':
    'An answer, a line of a stream or a page that does not end is given up at a bound; memory does not grow with it.',
  'written call run':
    'A tool call that a model writes as text at the end of its answer counts when the model has made no native call in the conversation; a read is run.',
  'written call asks': 'A write that a model wrote as text always asks the person.',
  'written call from a file':
    'A written tool call never counts when a result, a file, an instruction or a message of the context contains its name and arguments.',
  'model without tools':
    'Choosing a model that has no tool calling ends the run with one sentence that says so.',
  'spend counted once': 'Spend is counted at most once, retries included.',
  'spend unknown': 'After a stream was cut, its cost is given as unknown and not as zero.',
  // wire names
  'wire stream delta': 'Text goes out as WorkshopAssistantStreamDelta.',
  'wire tool executing': 'A starting tool goes out as WorkshopToolExecuting {tool_name, path}.',
  'wire tool complete': 'A finished tool goes out as WorkshopToolComplete {tool_name, success}.',
  'wire log events':
    'Tool.CreateFile.* and the patch batch events are logged under the names and with the fields of their specs.',
  'client cursor': 'A client resumes the events from a cursor and misses none.',
  'Last-Event-ID':
    'The cursor may come as the header with which a browser takes a stream up again.',
  'cursor beyond the end': 'A cursor behind the last row is refused with where the log ends.',
  'turn envelope kind': 'The turn envelope has the kind `final` or `client_tool_continuation`.',
  'turn envelope fields':
    'The turn envelope has sessionId, turnId and toolCalls with toolCallId, name and argumentsJson.',
  'turn results by id': 'Tool results are matched to the calls by id, in any order.',
  'plan first': 'Plan first happens when a person asks for it; otherwise the unified loop runs.',
  'many files are one plan':
    'Work over many files is one plan and one draft with one review, with a bounded conversation for each file.',
  'trial over many files': 'Before the rest of many files is done, a person sees a trial.',
  'many files resumed':
    'Work over many files that was cut off goes on with the files that are left.',
  'recipe without a model':
    'A recipe runs again without a model, and on its own inputs gives the same bytes.',
  'recipe checks its steps':
    'A recipe names each deviation from what its steps were made on before it drafts anything.',
  'schedule exactly once':
    'A schedule or a file that lands starts its recipe or task exactly once for each due time or content.',
  'schedule ends in a draft': 'What a schedule started ends in a draft and a notice.',
  'publish by rule':
    'Only a recipe without a model publishes unasked, and only by a rule that pins its hash.',
  'no model makes schedules': 'No tool that a model is offered makes a schedule or a rule.',
  'checks by name':
    'A check is a list of arguments that a person added by name; AGENTS.md only proposes one.',
  'checks in the box':
    'A check runs on a copy with one revision of the draft, without network, key files and other folders, at most 10 minutes.',
  'no box, no checks': 'Where there is no box no check runs.',
  'person heard on every face':
    "A person's message is in the conversation, whenever it came and by whichever face.",
  'demo only by name':
    'The scripted demo runs when it is asked for by name, by *try it* or by the sample of npm start, and never otherwise.',
  'script without a model': 'A script that has no model ends with exit code 8.',
  'no migration': {
    behaviour: "ADR-0010's Migration.",
    notApplicable: 'there is no older flow',
  },
  ...limits,
}
