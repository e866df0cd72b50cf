import { counted, type LineOf, type LogRow, type ToolCallId } from '@filewright/protocol'
import { toObjectJson } from '../port/arguments.ts'
import type { AskedCall, ImagePart, ModelMessage } from '../port/model.ts'
import { compacted, type HeldPlan } from './compacted.ts'
import type { TranscriptEntry } from './entries.ts'
import { toLateText } from './late-layers.ts'
import { planText } from './plan-text.ts'
import { ACTIVE_FILES } from './prompt.ts'

/** What a model is shown of the log: a projection that grows with the rows and keeps each message's identity. */
export interface Transcript {
  add(row: LogRow): void
  /** With the active files, if any, where they were first sent in their current state. */
  messages(activeFiles: string): readonly ModelMessage[]
  /** The late layers that the conversation shows, by name, with their hashes. */
  readonly lateShown: ReadonlyMap<string, string>
  /** What a compaction keeps of the model's plan. */
  readonly plan: HeldPlan | undefined
  /** In order, with their rows: what a compaction works on. */
  readonly entries: readonly TranscriptEntry[]
  /** Pictures that the messages name and that are not loaded. */
  missingImages(): readonly string[]
  setImage(sha256: string, bytes: Uint8Array | undefined): void
}

interface OpenTurn {
  readonly calls: readonly AskedCall[]
  readonly results: Map<ToolCallId, { seq: number; line: LineOf<'tool_result'> }>
  readonly steers: TranscriptEntry[]
}

export function createTranscript(): Transcript {
  let entries: TranscriptEntry[] = []
  let open: OpenTurn | undefined
  /** What happened between runs; it goes with the person's next message. */
  let news: string[] = []
  let isRunning = false
  let model = ''
  const loaded = new Map<string, string>()
  /** The entry that the active files come before. */
  let anchor = 0
  let activeSha = ''
  const project = createProjection()
  const lateShown = new Map<string, string>()
  let plan: HeldPlan | undefined

  const forget = () => {
    entries = []
    open = undefined
    news = []
    anchor = 0
    activeSha = ''
    plan = undefined
    lateShown.clear()
  }

  const add = (row: LogRow) => {
    const { body, seq } = row
    switch (body.type) {
      case 'conversation-start':
        return forget()
      case 'user_message':
        entries.push(personEntry(body, seq, news))
        news = []
        return
      case 'steer':
        ;(open ? open.steers : entries).push(personEntry(body, seq))
        return
      case 'assistant_message':
        return addAnswer(body, seq)
      case 'tool_result':
        open?.results.set(body.tool_call_id, { seq, line: body })
        return closeTurn()
      case 'context':
        placeLateLayers(body, seq)
        return placeActiveFiles(body)
      case 'compaction':
        entries = compacted(entries, body, seq, plan)
        if (body.summary !== undefined) lateShown.clear()
        activeSha = ''
        return
      case 'plan':
        plan = body.steps.length > 0 ? { seq, text: planText(body.steps) } : undefined
        return
      case 'run-end':
        if (body.reason === 'waiting') return
        isRunning = false
        news = endOfRun(body)
        return
      case 'run-start':
        isRunning = true
        if (body.goes_on) goOn(seq)
        return setModel(body.model)
      case 'rewind':
        news.push(note(describeRewind(body)))
        return
      case 'model':
        return setModel(body.model)
      case 'draft':
        return tell(note(describeDraft(body)), seq)
    }
  }

  const goOn = (seq: number) => {
    const text = [...news, note(GO_ON_WITH_IT)].join('\n\n')
    entries.push({ seq, message: { role: 'user', text } })
    news = []
  }

  const setModel = (name: string) => {
    if (name === model) return
    model = name
    entries = entries.map(entry => {
      const { by, message } = entry
      if (!by || message.role !== 'assistant') return entry
      const provider = by.model === model ? by.provider : undefined
      return message.provider === provider ? entry : { ...entry, message: { ...message, provider } }
    })
  }

  const tell = (text: string, seq: number) => {
    if (!isRunning) news.push(text)
    else (open ? open.steers : entries).push({ seq, message: { role: 'user', text } })
  }

  const addAnswer = (line: LineOf<'assistant_message'>, seq: number) => {
    const calls = (line.tool_calls ?? []).map(
      (call): AskedCall => ({
        id: call.id,
        name: validName(call.function.name),
        arguments: validArguments(call.function.arguments),
      }),
    )
    const { text, reasoning, provider } = line
    const message: ModelMessage = { role: 'assistant', text, reasoning, calls, provider }
    entries.push({ seq, message, ...(provider !== undefined && { by: { model, provider } }) })
    if (calls.length === 0 && line.finish_reason === 'length')
      entries.push({ seq, message: { role: 'user', text: note(GO_ON) } })
    if (line.repair) entries.push({ seq, message: { role: 'user', text: note(line.repair) } })
    open = calls.length > 0 ? { calls, results: new Map(), steers: [] } : undefined
  }

  const closeTurn = () => {
    const isWhole = open?.calls.every(({ id }) => open?.results.has(id)) // a person's own call may end meanwhile
    if (!open || !isWhole) return
    for (const call of open.calls) {
      const { seq, line } = open.results.get(call.id)!
      const entry: TranscriptEntry = {
        seq,
        message: {
          role: 'tool',
          callId: call.id,
          name: call.name,
          text: line.content,
          failed: !line.success,
          ...(line.images && { pictures: line.images.length }),
        },
        ...(line.images && { awaited: line.images }),
      }
      entries.push(entry)
    }
    entries.push(...open.steers)
    open = undefined
  }

  /** Before the summary that made them new, before the message that begins a run, or else where the conversation is. */
  const placeLateLayers = ({ layers }: LineOf<'context'>, seq: number) => {
    const sent = layers.filter(layer => layer.text !== undefined)
    if (sent.length === 0) return
    const isAnew = lateShown.size === 0
    for (const { name, sha256 } of sent) lateShown.set(name, sha256)
    const summary = entries.findIndex(entry => entry.isSummary)
    const last = entries.at(-1)?.message.role === 'user' ? entries.length - 1 : entries.length
    const at = isAnew && summary >= 0 ? summary : last
    const text = toLateText(sent.map(layer => layer.text!))
    entries.splice(at, 0, { seq, message: { role: 'user', text }, isLate: true })
    if (at <= anchor) anchor++
  }

  const placeActiveFiles = (line: LineOf<'context'>) => {
    const sha256 = line.layers.find(layer => layer.name === ACTIVE_FILES)?.sha256 ?? ''
    if (sha256 === activeSha) return
    activeSha = sha256
    const last = entries.at(-1)?.message.role
    anchor = last === 'user' ? entries.length - 1 : entries.length
  }

  return {
    add,
    messages: text => project(entries, text, anchor),
    lateShown,
    get plan() {
      return plan
    },
    get entries() {
      return entries
    },
    missingImages: () =>
      entries
        .flatMap(({ awaited = [] }) => awaited)
        .flatMap(({ sha256 }) => (loaded.has(sha256) ? [] : sha256)),
    setImage: (sha256, bytes) => {
      loaded.set(sha256, bytes ? Buffer.from(bytes).toString('base64') : '')
      entries = entries.map(entry => withImages(entry, loaded))
    },
  }
}

interface Projected {
  readonly entries: readonly TranscriptEntry[]
  readonly length: number
  readonly text: string
  readonly anchor: number
  readonly messages: readonly ModelMessage[]
}

/** Lists the messages once for each state: entries are added to their list, or the list is another one. */
function createProjection() {
  let last: Projected | undefined
  let active: ModelMessage | undefined
  return (entries: readonly TranscriptEntry[], text: string, anchor: number) => {
    const { length } = entries
    const isSame = last?.entries === entries && last.length === length && last.anchor === anchor
    if (last && isSame && last.text === text) return last.messages
    const messages = entries.map(entry => entry.message)
    if (text !== '') {
      if (active?.text !== text) active = { role: 'user', text }
      messages.splice(Math.min(anchor, length), 0, active)
    }
    last = { entries, length, text, anchor, messages }
    return messages
  }
}

function personEntry(
  { text, images }: Pick<LineOf<'user_message'>, 'text' | 'images'>,
  seq: number,
  news: readonly string[] = [],
): TranscriptEntry {
  return {
    seq,
    message: {
      role: 'user',
      text: [...news, text].join('\n\n'),
      ...(images && { pictures: images.length }),
    },
    words: text,
    ...(images && { awaited: images }),
  }
}

/** Once all pictures of the message are loaded; the bytes of one may be gone. */
function withImages(entry: TranscriptEntry, loaded: ReadonlyMap<string, string>): TranscriptEntry {
  const { message, awaited } = entry
  if (!awaited?.every(({ sha256 }) => loaded.has(sha256)) || message.role === 'assistant')
    return entry
  const images = awaited.flatMap(({ sha256, mediaType }): ImagePart[] =>
    loaded.get(sha256) ? [{ mediaType, base64: loaded.get(sha256)! }] : [],
  )
  return { ...entry, message: { ...message, images }, awaited: undefined }
}

/** Some endpoints parse the arguments of earlier calls: a broken text there would break every later request. */
function validArguments(json: string): string {
  const valid = toObjectJson(json)
  return valid.ok ? valid.value : '{}'
}

/** So would a name that no tool can have. */
function validName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed'
}

const GO_ON =
  'Your answer was cut at the output limit. Continue with the very next character, and repeat nothing; to write a file, call a tool in smaller pieces.'

const GO_ON_WITH_IT = 'The person asks you to go on with it.'

function endOfRun({ reason, closing, message }: LineOf<'run-end'>): string[] {
  const how =
    reason === 'cancelled' ? 'The person cancelled that run.' : reason === 'final' ? '' : message
  return [note(`The run before this one ended with: ${closing}`), ...(how ? [note(how)] : [])]
}

const PATHS_SHOWN = 20

function describeRewind({ withdrawn, written }: LineOf<'rewind'>): string {
  const gone =
    withdrawn.length > 0 ? ` Changes made after it left the draft (${listOf(withdrawn)}).` : ''
  const kept =
    written.length > 0
      ? ` These files were written meanwhile and stay as they are now: ${listOf(written)}. Read them again before you change them.`
      : ''
  return `The person went back to an earlier point of the conversation.${gone}${kept}`
}

function listOf(paths: readonly string[]): string {
  const more = paths.length > PATHS_SHOWN ? ', …' : ''
  return `${paths.slice(0, PATHS_SHOWN).join(', ')}${more}`
}

function describeDraft(line: LineOf<'draft'>): string {
  const { action, files, paths } = line
  const shown = paths.slice(0, PATHS_SHOWN)
  const more = files > shown.length ? ', …' : ''
  const what = `${counted(files, 'file')}${files > 0 ? `: ${shown.join(', ')}${more}` : ''}`
  switch (action) {
    case 'published':
      return `The person has published ${line.undecided ? 'a part of ' : ''}the draft (${what}).${describeLeft(line)}`
    case 'discarded':
      return `The person has discarded the draft (${what}). None of it was written.`
    case 'undone':
      return `The person has undone what was written (${what}).`
    case 'redone':
      return `The person has redone what was undone (${what}).`
  }
}

function describeLeft({
  refused = 0,
  refused_places = [],
  undecided = 0,
  comments = [],
}: LineOf<'draft'>): string {
  const where =
    refused_places.length > 0
      ? ` (${refused_places.join('; ')}${refused > refused_places.length ? '; …' : ''})`
      : ''
  const gone =
    refused > 0
      ? ` ${counted(refused, 'change')} of it ${refused === 1 ? 'was' : 'were'} refused and not written${where}.`
      : ''
  const open =
    undecided > 0
      ? ` ${counted(undecided, 'change')} ${undecided === 1 ? 'is' : 'are'} undecided and ${undecided === 1 ? 'stays' : 'stay'} in the draft.`
      : ''
  const said = comments.length > 0 ? ` The person says: ${comments.join(' · ')}` : ''
  return gone + open + said
}

function note(text: string): string {
  return `[Filewright] ${text}`
}
