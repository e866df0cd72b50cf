import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §9. */
export const commandLine: SectionEntries[string] = {
  'bin of apps/cli':
    '`filewright` is the bin of apps/cli: a committed shim in front of one bundled file.',
  'npx after build': 'In a checkout, after `npm run build`, `npx filewright` runs.',
  'stdout the answer alone': 'stdout carries the answer alone.',
  'stderr the rest': 'Progress, questions and logs go to stderr.',
  'no colour without a terminal': 'There is no colour when stdin is not a terminal.',
  'no question without a terminal': 'Nothing is asked when stdin is not a terminal.',
  interactive: '`filewright [-C DIR]` opens an interactive session on the folder.',
  // run
  'run headless': '`run "TASK"` runs a task without a person and ends with its outcome.',
  'run -C': '`run -C DIR` works on that folder.',
  'run --toolset': '`run --toolset` offers the workshop or the workspace toolset.',
  'run --model': '`run --model PROVIDER/ID` uses that model.',
  'run --active': '`run --active PATH…` makes those files active.',
  'run --publish': '`run --publish ask|auto|never` decides what happens to the draft at the end.',
  'run --approve': '`run --approve ask|rules|all` decides what happens at the gate.',
  'run --continue': '`run --continue` continues the last conversation of the folder.',
  'run --session': '`run --session ID` continues the conversation of that session.',
  'run --max-turns': '`run --max-turns N` ends the run after N turns.',
  'run --effort': "`run --effort E` takes one of the model's own levels.",
  'run --plan': '`run --plan` asks for a plan first.',
  'run --light': '`run --light` offers the tools for small windows.',
  'run --budget-tokens': '`run --budget-tokens N` stops the run at that many tokens.',
  'run --budget-dollars':
    '`run --budget-dollars N` stops the run at that spend, where a price is known.',
  'run --budget-time': '`run --budget-time S` stops the run after S seconds.',
  'run stdin': '`run -` reads the task from stdin.',
  'run --output json': '`run --output json` prints one event per line.',
  'run --output text': '`run --output text` prints the text for a person.',
  'run defaults':
    'On a terminal `run` asks before publishing and at the gate; elsewhere it publishes nothing and follows the rules.',
  // call
  'call one tool': '`call TOOL JSON` runs one tool and prints its envelope as JSON.',
  'call stdin': '`call TOOL -` reads the arguments from stdin.',
  'call --yes': '`call --yes` approves every question of the gate.',
  'call pending':
    'Without --yes and without a terminal, `call` prints {"pending":true,"approvalId":…} and exits 9.',
  'call --lines in and out':
    '`call --lines` reads one {tool, arguments, id?} a line and writes one {id, result} a line, in order.',
  'call -C': '`call -C DIR`, single and with --lines, works on that folder.',
  'call --lines --yes': '`call --lines --yes` approves for every line.',
  'call --lines turns': 'Each line of `call --lines` is a separate turn.',
  'call --lines limits':
    'The limits of the loop do not apply to `call --lines`: more than 50 lines run.',
  'call --lines bad line':
    'A line that is not JSON gets a failed result in its place, and the next lines run.',
  // tools
  'tools json': '`tools --json` prints the catalog.',
  'tools openai': '`tools --openai` prints the OpenAI function list.',
  'tools mcp': '`tools --mcp` prints the MCP tool list.',
  // drafts
  'draft list': '`draft list` lists the drafts of the workspace.',
  'draft show': '`draft show` shows one draft.',
  'draft discard': '`draft discard` discards one draft.',
  'draft resolve':
    "`draft resolve CHANGE_ID…` settles a conflict: `--ours` keeps the draft's change, `--theirs` the file on disk.",
  review: '`review` shows the changes of the draft, and with --json as data.',
  'review --stat': '`review --stat` shows the files with their numbers of changes.',
  publish: '`publish` publishes the draft after a question, and with --yes without one.',
  'publish --only': '`publish --only CHANGE_ID…` publishes these changes and no others.',
  'publish --refuse': '`publish --refuse CHANGE_ID…` publishes all but these, which are dropped.',
  undo: '`undo` undoes the last publish.',
  redo: '`redo` undoes the last undo.',
  'draft among several':
    'With several open drafts publish and discard list them and ask; without a terminal they exit with 2.',
  'review accept': '`review accept CHANGE_ID…` accepts these changes of the draft.',
  'review refuse':
    '`review refuse CHANGE_ID… --reason TEXT` refuses these changes of the draft and keeps the reason.',
  'review reopen': '`review reopen CHANGE_ID…` makes these changes undecided again.',
  'draft option':
    'draft, review, publish, undo and redo take -C and --draft ID, by default the only open draft of the workspace.',
  'standing session of call':
    '`call` keeps one session and one draft for each workspace over many runs.',
  // the gate, the history
  'approvals list': '`approvals list` lists the open approvals.',
  'approvals approve': '`approvals approve` lets the waiting call go on.',
  'approvals deny': '`approvals deny` ends the waiting call as denied.',
  rules: '`rules` shows the rules of the gate and takes one back.',
  log: '`log` shows the history.',
  'log --jsonl': "`log --jsonl` prints ADR-0010's lines.",
  'log --sent': '`log --sent` shows what was sent to which provider.',
  resume: '`resume` continues the last stopped run, or that of the session named.',
  // serve, attach
  serve: '`serve` runs the server and the web app on one or several folders.',
  'serve port':
    '`serve` takes port 4680 or the next free one; `--port` and `--host` choose another.',
  'serve token': 'The token of the server is the same after a restart.',
  'npm start serves the sample': '`npm start` runs `serve` with the sample workspace.',
  attach:
    '`attach --server URL` connects to a server elsewhere, which then reads and edits the folder through it.',
  'attach token':
    '`attach --token T` uses that token; without the right one it is refused in one sentence.',
  'attach --yes':
    'A write through `attach` asks on this machine, unless a local rule or `--yes` allows it.',
  'attach --review-there':
    '`attach --review-there` lets a person decide on the page of the server.',
  // other agents, editors
  mcp: '`mcp [DIR] [--toolset T]` offers our tools to another agent.',
  'mcp draft tools':
    'Over MCP, review_draft, publish_draft, discard_draft, undo and redo are tools too.',
  'mcp install': '`mcp install CLIENT` prints or writes the configuration of that client.',
  'mcp add': '`mcp add` gives our runs the tools of another MCP server.',
  'mcp doctor': '`mcp doctor` starts our MCP server as a client would and makes a call.',
  acp: '`acp` is our agent for an editor.',
  init: '`init` writes a first AGENTS.md.',
  // the rest
  diff: '`diff A B` shows the differences of two files of one format as review shows them.',
  'diff forms':
    '`diff` prints its net changes as JSON, as a page, as a document with tracked changes, or for GitHub.',
  merge:
    '`merge BASE OURS THEIRS…` writes a three-way merge to the file that -o names, and a person decides its conflicts.',
  'git install':
    '`git install` makes our diff and merge the drivers of a repository, and `git uninstall` takes them out again.',
  recipe: '`recipe` makes, checks, runs and shows recipes.',
  each: '`each GLOB` does one task or recipe on each file of a pattern.',
  schedule: '`schedule` adds, lists, pauses and removes what runs again.',
  checks: '`checks` adds, lists and removes the checks of a folder.',
  page: '`page` opens the page of the running owner with a code that is good once, for 60 s, on loopback, and in no answer to a model.',
  setup: '`setup` adds Filewright to the agents that are on the machine.',
  upgrade: '`upgrade` says what is new.',
  'log verify':
    '`log verify` proves that no row, blob or checkpoint of the history was changed, or names it.',
  migrate: '`migrate` moves an installation to other stores and verifies it.',
  completion: '`completion` prints the completions of a shell.',
  '--plain': '`--plain` prints plain lines that a screen reader can follow.',
  rpc: '`rpc` speaks JSON-RPC 2.0 on stdio.',
  models: '`models` lists the models that are there.',
  'models set': '`models set` sets the sizes, prices and effort levels of a model.',
  config: '`config` shows and changes the settings.',
  doctor: '`doctor` prints a diagnosis that holds no content of files and no secrets.',
  help: '`--help` prints the commands and their options.',
  version: '`--version` prints the version.',
  // one owner
  'state folder': "State is in the user's state folder, and FILEWRIGHT_STATE overrides where.",
  'nothing in the workspace': 'No command leaves a file of ours in the workspace.',
  'first process owns':
    'The first process of any kind owns the state folder: lock, recovery, local socket.',
  'later processes ask': 'Every later process asks the owner and gets the same answers.',
  takeover: 'When the owner is gone the next process takes over.',
  // models
  'model id alone': 'A `--model` without a provider goes to the base URL.',
  'model from the environment':
    'FILEWRIGHT_MODEL, FILEWRIGHT_BASE_URL and FILEWRIGHT_API_KEY are used.',
  "model from providers' variables": "The providers' usual variables are used.",
  'model from settings': 'A model in the settings is used when nothing else names one.',
  // exit codes
  'exit 0': 'A success exits with 0.',
  'exit codes by kind':
    'A failure exits by its kind: internal 1, invalid 2, missing 3, conflict 4, denied 5, limit 6, unsupported 7, unavailable 8.',
  'exit 9': 'A call that waits for a person exits with 9.',
  'exit 130': 'A cancelled command exits with 130.',
}
