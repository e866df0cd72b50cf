import { EXIT_CODES } from '@filewright/protocol'

const MEANINGS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  success: 'done',
  internal: 'a fault of Filewright itself: please report it',
  invalid: 'the command or its arguments are wrong',
  missing: 'what was named does not exist',
  conflict: 'something else changed meanwhile; nothing was written',
  denied: 'not allowed, or you said no',
  limit: 'a limit was reached: turns, a budget, a size, a time',
  unsupported: 'this kind of file cannot do that',
  unavailable: 'a model, a file or a client cannot be reached now',
  waiting: 'it waits for a person: an approval, a question, a draft',
  cancelled: 'cancelled with Ctrl-C',
}

/** What `filewright help TOPIC` says. */
export const TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    (Object.keys(MEANINGS) as (keyof typeof MEANINGS)[])
      .map(name => `${String(EXIT_CODES[name]).padStart(4)}  ${MEANINGS[name]}`)
      .join('\n'),
  json: () =>
    `filewright run "TASK" --output json prints one event a line. The schema of a
line is in docs/run-output.schema.json. The last row of a run has the type
"run-end": its "reason" says how it ended, its "closing" what was changed. The
exit code says the same: filewright help exit-codes.`,
  keys: () =>
    `In an interactive session:
  Enter             sends
  Alt-Enter, Ctrl-O makes a new line; so does \\ at the end
  Tab               completes @path and /command
  Up, Down, Ctrl-R  what you typed before in this folder
  Ctrl-X            opens $VISUAL or $EDITOR; the text comes back, not sent
  Ctrl-C            stops the run, never the program
  Ctrl-D            ends the session
  Ctrl-Z            suspends it; fg brings it back
  Ctrl-A, -E, -W, -U, -K, Alt-B, -F, -D   move and delete as in a shell
What was typed before a question appeared never answers it.
/help lists the commands.`,
  models: () =>
    `What you can use here: filewright models. A model is named PROVIDER/ID, or by
its id alone at the address in FILEWRIGHT_BASE_URL:
  filewright config set model ollama/qwen3
  filewright run "…" --model ollama/qwen3
  FILEWRIGHT_BASE_URL=http://127.0.0.1:8000/v1 filewright run "…" --model mine
--model counts before FILEWRIGHT_MODEL, and that before the setting. A key comes
from the provider's usual variable (ANTHROPIC_API_KEY …), FILEWRIGHT_API_KEY or
the settings.`,
  plan: () =>
    `filewright --plan, or /plan in a session: the model reads only, and writes a
list. You approve it, change it, or say what should be different. Then one run
works through it, ticks what is done and marks what failed with the reason.
After a crash, filewright --continue and /resume go on at the first open item.`,
  publishing: () =>
    `A model writes into a draft. Your files change when you publish it, all of it
or none:
  filewright review                  what would change
  filewright review --stat           the same in numbers
  filewright publish                 asks; "p" goes through the changes
  filewright publish --only ID…      these; the others stay in the draft
  filewright publish --refuse ID…    all but these, which are dropped
  filewright undo                    takes the last one back; redo: again`,
  rules: () =>
    `The workspace toolset asks before each write. A rule answers for you:
  filewright rules add --effect allow --path 'src/**' \\
    --tool workspace_write_patch
  filewright rules                   lists them
  filewright rules remove ID
Key files, and files that other programs execute unasked, always need a rule or
a yes of their own.`,
}
