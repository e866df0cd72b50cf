import {
  counted,
  type ImageName,
  type LineOf,
  type LogRow,
  type ToolCallId,
} from '@filewright/protocol'
import { toObjectJson } from '../port/arguments.ts'
import type { AskedCall, ImagePart, ModelMessage } from '../port/model.ts'
import { ACTIVE_FILES } from './prompt.ts'

/** What a model is shown of the log: a projection that grows with the rows and keeps each message's identity. */
export interface Transcript {
  add(row: LogRow): void
  /** With the active files, if any, where they were first sent in their current state. */
  messages(activeFiles: string): readonly ModelMessage[]
  /** Of rows up to this one: what a compaction replaces. */
  messagesUpTo(seq: number): readonly ModelMessage[]
  /** Pictures that the messages name and that are not loaded. */
  missingImages(): readonly string[]
  setImage(sha256: string, bytes: Uint8Array | undefined): void
}

interface TranscriptEntry {
  readonly seq: number
  message: ModelMessage
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
  const images = new Map<TranscriptEntry, readonly ImageName[]>()
  const loaded = new Map<string, string>()
  /** The entry that the active files come before. */
  let anchor = 0
  let activeSha = ''
  let active: ModelMessage | undefined

  const add = (row: LogRow) => {
    const { body, seq } = row
    switch (body.type) {
      case 'conversation-start':
        entries = []
        open = undefined
        news = []
        images.clear()
        anchor = 0
        activeSha = ''
        return
      case 'user_message':
        entries.push({ seq, message: { role: 'user', text: [...news, body.text].join('\n\n') } })
        news = []
        return
      case 'steer':
        ;(open ? open.steers : entries).push({ seq, message: { role: 'user', text: body.text } })
        return
      case 'assistant_message':
        return addAnswer(body, seq)
      case 'tool_result':
        open?.results.set(body.tool_call_id, { seq, line: body })
        return closeTurn()
      case 'context':
        return placeActiveFiles(body)
      case 'compaction':
        entries = [
          { seq, message: { role: 'user', text: body.summary } },
          ...entries.filter(entry => entry.seq > body.up_to_seq),
        ]
        activeSha = ''
        return
      case 'run-end':
        if (body.reason === 'waiting') return
        isRunning = false
        news = [note(`The run before this one ended with: ${body.closing}`)]
        if (body.reason === 'limit' && body.message) news.push(note(body.message))
        return
      case 'run-start':
        isRunning = true
        return
      case 'draft':
        return tell(note(describeDraft(body)), seq)
    }
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
    entries.push({ seq, message })
    if (calls.length === 0 && line.finish_reason === 'length')
      entries.push({ seq, message: { role: 'user', text: note(GO_ON) } })
    open = calls.length > 0 ? { calls, results: new Map(), steers: [] } : undefined
  }

  const closeTurn = () => {
    if (!open || open.results.size < open.calls.length) return
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
        },
      }
      if (line.images) images.set(entry, line.images)
      entries.push(entry)
    }
    entries.push(...open.steers)
    open = undefined
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
    messages: text => {
      const messages = entries.map(entry => entry.message)
      if (text === '') return messages
      if (active?.text !== text) active = { role: 'user', text }
      return messages.toSpliced(Math.min(anchor, messages.length), 0, active)
    },
    messagesUpTo: seq => entries.filter(entry => entry.seq <= seq).map(entry => entry.message),
    missingImages: () =>
      [...images.values()].flat().flatMap(({ sha256 }) => (loaded.has(sha256) ? [] : sha256)),
    setImage: (sha256, bytes) => {
      loaded.set(sha256, bytes ? Buffer.from(bytes).toString('base64') : '')
      for (const [entry, names] of images) {
        if (!names.every(name => loaded.has(name.sha256))) continue
        const parts = names.flatMap(({ sha256, mediaType }): ImagePart[] =>
          loaded.get(sha256) ? [{ mediaType, base64: loaded.get(sha256)! }] : [],
        )
        if (entry.message.role === 'tool') entry.message = { ...entry.message, images: parts }
        images.delete(entry)
      }
    },
  }
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

const PATHS_SHOWN = 20

function describeDraft({ action, files, paths, refused = 0 }: LineOf<'draft'>): string {
  const shown = paths.slice(0, PATHS_SHOWN)
  const more = files > shown.length ? ', …' : ''
  const what = `${counted(files, 'file')}${files > 0 ? `: ${shown.join(', ')}${more}` : ''}`
  switch (action) {
    case 'published':
      return `The person has published the draft (${what}).${refused > 0 ? ` ${counted(refused, 'change')} of it ${refused === 1 ? 'was' : 'were'} refused and not written.` : ''}`
    case 'discarded':
      return `The person has discarded the draft (${what}). None of it was written.`
    case 'undone':
      return `The person has undone what was written (${what}).`
    case 'redone':
      return `The person has redone what was undone (${what}).`
  }
}

function note(text: string): string {
  return `[Filewright] ${text}`
}
