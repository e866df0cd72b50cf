import { unwrapOrExit } from '@filewright/host'
import { visible } from '@filewright/protocol'
import { publishPicked, reviewOf, showReview } from './review-draft.ts'
import type { Talk } from './talk.ts'

interface SlashCommand {
  readonly summary: string
  run(talk: Talk, words: string): Promise<void> | void
}

/** What a person may type in place of a message. */
export const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { summary: 'this list', run: talk => talk.console.say(help()) },
  review: { summary: 'show the changes in the draft (also /draft)', run: review },
  publish: {
    summary: 'write the draft; "/publish pick" goes through its changes',
    run: publish,
  },
  discard: { summary: 'throw the draft away', run: discard },
  undo: { summary: 'take the last publish back', run: talk => takeBack(talk, 'undo') },
  redo: { summary: 'write what was undone again', run: talk => takeBack(talk, 'redo') },
  approvals: { summary: 'answer what waits for you', run: talk => talk.settle() },
  plan: {
    summary: 'the model only reads and plans, you approve; "/plan off" ends that',
    run: plan,
  },
  model: { summary: 'which model is used; "/model PROVIDER/ID" changes it', run: model },
  cost: {
    summary: 'what the last run used',
    run: talk => talk.console.say(talk.spent ?? 'Nothing was sent yet.'),
  },
  files: { summary: 'files in the context; "/files -PATH" takes one out', run: files },
  rules: { summary: 'what may be done without asking', run: rules },
  open: {
    summary: 'what the last call asked and got; "/open 3" the third last',
    run: (talk, words) => talk.console.say(talk.events.open(Number(words) || 1)),
  },
  edit: { summary: 'take your last message back and change it', run: edit },
  'take-back': { summary: 'take back a message that still waits', run: takeBackQueued },
  resume: { summary: 'go on with a run that stopped', run: talk => talk.resume() },
  sessions: { summary: 'earlier conversations; "/sessions ID" goes on with one', run: sessions },
  clear: { summary: 'a new conversation in this session', run: clear },
}

export function help(): string[] {
  const width = Math.max(...Object.keys(SLASH_COMMANDS).map(name => name.length))
  const lines = Object.entries(SLASH_COMMANDS).map(
    ([name, { summary }]) => `  /${name.padEnd(width)}  ${summary}`,
  )
  return [
    ...lines,
    '  @path puts a file into the context; Tab completes it. Alt-Enter, or a \\ at',
    '  the end, makes a new line; Ctrl-X opens your editor; Ctrl-R searches what you',
    '  typed before. Ctrl-C stops a run, Ctrl-D ends the session.',
  ]
}

const ALIASES: Readonly<Record<string, string>> = { draft: 'review', '?': 'help' }

/** False if the text is no command. */
export async function runSlash(talk: Talk, text: string): Promise<boolean> {
  const found = /^\/([\w?-]+)\s*(.*)$/s.exec(text.trim())
  if (!found) return false
  const [, name = '', words = ''] = found
  const command = SLASH_COMMANDS[ALIASES[name] ?? name]
  if (command) await command.run(talk, words.trim())
  else talk.console.say(`There is no /${visible(name)}. /help lists what there is.`)
  return true
}

async function review(talk: Talk): Promise<void> {
  const found = talk.sessionId && (await reviewOf(talk.work, talk.sessionId))
  if (!found) return talk.console.say('The draft is empty.')
  showReview(found, talk.console)
}

async function publish(talk: Talk, words: string): Promise<void> {
  const found = talk.sessionId && (await reviewOf(talk.work, talk.sessionId))
  if (!found) return talk.console.say('The draft is empty: there is nothing to publish.')
  const isAll = !/^pick$/i.test(words)
  if (isAll) showReview(found, talk.console)
  const said = await publishPicked(talk.work, talk.console, found, { isAll })
  talk.console.say(said ?? 'Nothing was written.')
}

async function discard(talk: Talk): Promise<void> {
  const found = talk.sessionId && (await reviewOf(talk.work, talk.sessionId))
  if (!found) return talk.console.say('The draft is empty.')
  const given = await talk.console.ask(`Throw away all changes of the draft? y yes, n no:`)
  if (!/^y(es)?$/i.test(given?.trim() ?? '')) return talk.console.say('The draft stays.')
  const { connection, params, config } = talk.work
  const body = { draftId: found.draft.id, by: config.userName }
  unwrapOrExit(await connection.call('discard', { params, body }))
  talk.console.say('The draft was thrown away. No file was changed.')
}

async function takeBack(talk: Talk, verb: 'undo' | 'redo'): Promise<void> {
  const { connection, params } = talk.work
  const done = await connection.call(verb, { params, body: {} })
  if (!done.ok) return talk.console.say(visible(done.failure.message))
  const paths = done.value.files.map(({ path }) => visible(path)).join(', ')
  talk.console.say(`${verb === 'undo' ? 'Undone' : 'Redone'}: ${paths}`)
  for (const warning of done.value.warnings) talk.console.say(`Warning: ${visible(warning)}`)
}

function plan(talk: Talk, words: string): void {
  talk.isPlanning = !/^off$/i.test(words)
  talk.console.say(
    talk.isPlanning
      ? 'Plan first: the model reads only, and you approve its plan.'
      : 'The model may write to the draft again.',
  )
}

function model(talk: Talk, words: string): void {
  if (words !== '') talk.model = words
  talk.console.say(
    `Model: ${visible(talk.model ?? 'as set up; "filewright models" lists what there is')}`,
  )
}

async function files(talk: Talk, words: string): Promise<void> {
  if (talk.sessionId === undefined)
    return talk.console.say('No file is in the context yet: name one with @path.')
  const { connection } = talk.work
  if (words.startsWith('-')) {
    const query = { path: words.slice(1).trim() }
    unwrapOrExit(await connection.call('removeActiveFile', { params: talk.params, query }))
  }
  const listed = unwrapOrExit(await connection.call('listActiveFiles', { params: talk.params }))
  if (listed.files.length === 0) talk.console.say('No file is in the context: name one with @path.')
  for (const { displayPath, sizeBytes } of listed.files)
    talk.console.say(`  ${visible(displayPath)}  ${sizeBytes} bytes`)
}

async function rules(talk: Talk): Promise<void> {
  const { connection, params } = talk.work
  const listed = unwrapOrExit(await connection.call('listRules', { params }))
  if (listed.length === 0)
    return talk.console.say('There are no rules: every write is asked about.')
  for (const { id, effect, tool = 'any tool', path = '**' } of listed)
    talk.console.say(`  ${id}  ${effect}  ${tool}  ${visible(path)}`)
  talk.console.say('"filewright rules remove ID" takes one away.')
}

async function edit(talk: Talk): Promise<void> {
  const text = await talk.takeBackLast()
  if (text === undefined)
    return talk.console.say(
      talk.isRunning ? 'Stop the run first (Ctrl-C).' : 'There is no message to take back.',
    )
  talk.console.prefill(text)
}

async function takeBackQueued(talk: Talk): Promise<void> {
  const { connection } = talk.work
  const waiting = talk.sessionId
    ? unwrapOrExit(await connection.call('listQueue', { params: talk.params })).messages.at(-1)
    : undefined
  if (!waiting) return talk.console.say('No message waits.')
  const params = { ...talk.params, messageId: waiting.messageId }
  const taken = await connection.call('takeBack', { params })
  if (taken.ok) talk.console.prefill(taken.value.text)
  else talk.console.say(visible(taken.failure.message))
}

async function sessions(talk: Talk, words: string): Promise<void> {
  const { connection, params } = talk.work
  const listed = unwrapOrExit(await connection.call('listSessions', { params }))
  const own = listed.sessions.filter(({ kind }) => kind === 'work')
  if (words !== '') {
    const chosen = own.find(({ sessionId }) => sessionId === words)
    if (!chosen) return talk.console.say(`There is no session ${visible(words)} in this folder.`)
    if (talk.isRunning) return talk.console.say('Stop the run first (Ctrl-C).')
    talk.console.say(`Going on with: ${visible(chosen.title)}`)
    return talk.goOnWith(chosen.sessionId)
  }
  if (own.length === 0) return talk.console.say('There is no earlier conversation in this folder.')
  for (const { sessionId, title, updated, state } of own.slice(0, 20))
    talk.console.say(
      `  ${sessionId}  ${updated.slice(0, 16).replace('T', ' ')}  ${state}  ${visible(title)}`,
    )
}

async function clear(talk: Talk): Promise<void> {
  if (talk.sessionId === undefined) return talk.console.say('The conversation is empty.')
  unwrapOrExit(await talk.work.connection.call('clear', { params: talk.params, body: {} }))
  talk.console.say('A new conversation begins; the draft stays.')
}
