import type { CallState, DraftId, DraftLine, SessionId } from '@filewright/protocol'
import { DamagedLog } from '../state/line-log.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { addLine, type Draft, foldDraft, orderOf } from './draft.ts'

/** The drafts of one workspace, each a log of its own; open ones are held, closed ones read when asked for. */
export interface DraftStore {
  /** Open drafts, last touched last. */
  open(): readonly Draft[]
  openOf(sessionId: SessionId): Draft | undefined
  find(id: DraftId): Promise<Draft | undefined>
  /** Durable, then visible. The first line of a new draft is its `open`. */
  append(id: DraftId, lines: readonly DraftLine[]): Promise<Draft>
  /** For a draft that stays open, visible at once: `kept` resolves when the lines are durable. */
  begin(
    id: DraftId,
    lines: readonly DraftLine[],
  ): Promise<{ readonly draft: Draft; readonly kept: Promise<void> }>
  list(): Promise<readonly Draft[]>
  /** Logs that cannot be read: set aside when they were found, never removed. */
  damaged(): Promise<readonly DamagedDraft[]>
  /** Those found when the store was opened. */
  readonly foundDamaged: readonly DamagedDraft[]
  /** The log itself. */
  lines(id: DraftId): Promise<readonly DraftLine[]>
  /** How a call on any draft ended. */
  findOutcome(toolCallId: string): Promise<CallState | undefined>
  remove(id: DraftId): Promise<void>
  /** Hashes of all bytes that its lines name: bases, copied files, pictures. */
  namedBlobs(id: DraftId): Promise<ReadonlySet<string>>
}

export interface DamagedDraft {
  readonly id: DraftId
  /** What a person is told of it. */
  readonly trouble: string
}

const OPEN = 'drafts/open'
const CLOSED = 'drafts/closed'
const DAMAGED = 'drafts/damaged'

export async function openDraftStore(state: StateFolder): Promise<DraftStore> {
  const drafts = new Map<DraftId, Draft>()
  let newest: Pick<Draft, 'id' | 'order'> | undefined
  const asideBefore = await listDamaged()
  for (const name of await state.list(OPEN)) {
    const draft = await readFrom(OPEN, name)
    if (!draft) continue
    if (draft.state !== 'open') await state.move(`${OPEN}/${name}`, `${CLOSED}/${name}`)
    else hold(draft)
  }

  const foundDamaged = (await listDamaged()).filter(
    ({ id }) => !asideBefore.some(before => before.id === id),
  )

  // most ids asked for are new, and were never closed: known without a look at the disk
  let closed: Promise<Set<string>> | undefined
  const closedNames = () => {
    closed ??= state.list(CLOSED).then(names => new Set(names))
    return closed
  }
  const readClosed = async (name: string) =>
    (await closedNames()).has(name) ? readFrom(CLOSED, name) : undefined

  /** Undefined: a crash cut its first line off, and nobody was told of it; or it is damaged, and lies aside from now on. */
  async function readFrom(folder: string, name: string): Promise<Draft | undefined> {
    const lines = await readLines(`${folder}/${name}`)
    const draft = lines && foldDraft(lines)
    if (draft) return draft
    const isMine = folder !== CLOSED || (await closedNames()).delete(name) // whoever reads it at the same time finds none
    if (!isMine) return undefined
    if (lines?.length === 0) await state.remove(`${folder}/${name}`)
    else await state.move(`${folder}/${name}`, `${DAMAGED}/${name}`)
    return undefined
  }

  async function listDamaged(): Promise<DamagedDraft[]> {
    return (await state.list(DAMAGED)).map(name => ({
      id: name.replace(/\.jsonl$/, '') as DraftId,
      trouble: `Its log cannot be read, and nothing more of it can be published. It is kept as ${state.name}/${DAMAGED}/${name} in the state folder; it is text, and what was written stands in its lines. Remove that file when it is not needed any more.`,
    }))
  }

  async function readLines(name: string): Promise<readonly DraftLine[] | undefined> {
    try {
      return await state.read<DraftLine>(name)
    } catch (error) {
      if (error instanceof DamagedLog) return undefined
      throw error
    }
  }

  function hold(draft: Draft): void {
    drafts.set(draft.id, draft)
    const { id, order } = draft
    if (order >= (newest?.order ?? 0)) newest = { id, order }
  }

  function add(id: DraftId, lines: readonly DraftLine[]): Draft {
    const held = drafts.get(id)
    if (held) for (const line of lines) addLine(held, line)
    const draft = held ?? foldDraft(lines)!
    drafts.delete(id) // last touched stands last
    if (draft.state === 'open') hold(draft)
    return draft
  }

  /** With an order where its time would not put it after every other draft. */
  function inOrder(id: DraftId, lines: readonly DraftLine[]): readonly DraftLine[] {
    const last = lines.findLast(line => 'time' in line)
    if (!last || !newest || newest.id === id || orderOf(last) > newest.order) return lines
    const order = newest.order + 1
    return lines.map(line => (line === last ? { ...line, order } : line))
  }

  function lines(id: DraftId): Promise<readonly DraftLine[]> {
    return state.read<DraftLine>(`${drafts.has(id) ? OPEN : CLOSED}/${id}.jsonl`)
  }

  return {
    open: () => [...drafts.values()].sort(byOrder),

    openOf(sessionId) {
      return [...drafts.values()].findLast(
        draft => draft.sessionId === sessionId && draft.open.purpose === 'workshop',
      )
    },

    async find(id) {
      return drafts.get(id) ?? (await readClosed(`${id}.jsonl`))
    },

    async append(id, given) {
      const lines = inOrder(id, given)
      await state.append(`${OPEN}/${id}.jsonl`, lines)
      const draft = add(id, lines)
      if (draft.state !== 'open') {
        const names = await closedNames()
        await state.move(`${OPEN}/${id}.jsonl`, `${CLOSED}/${id}.jsonl`)
        names.add(`${id}.jsonl`)
      }
      return draft
    },

    async begin(id, given) {
      const lines = inOrder(id, given)
      const { kept } = await state.begin(`${OPEN}/${id}.jsonl`, lines)
      return { draft: add(id, lines), kept }
    },

    async list() {
      const ended = await Promise.all([...(await closedNames())].map(readClosed))
      return [...ended.filter(draft => draft !== undefined), ...drafts.values()].sort(byOrder)
    },

    async findOutcome(toolCallId) {
      for (const draft of drafts.values()) {
        const outcome = draft.outcomes.get(toolCallId)
        if (outcome) return outcome
      }
      for (const name of await closedNames()) {
        const outcome = (await readClosed(name))?.outcomes.get(toolCallId)
        if (outcome) return outcome
      }
      return undefined
    },

    lines,

    damaged: listDamaged,
    foundDamaged,

    async namedBlobs(id) {
      const folders = drafts.has(id) ? [OPEN] : [CLOSED, DAMAGED]
      const texts = await Promise.all(
        folders.map(folder => state.readText(`${folder}/${id}.jsonl`)),
      )
      return new Set(texts.join('\n').match(/\b[0-9a-f]{64}\b/g))
    },

    async remove(id) {
      drafts.delete(id)
      await state.remove(`${OPEN}/${id}.jsonl`)
      await state.remove(`${CLOSED}/${id}.jsonl`)
      const names = await closedNames()
      names.delete(`${id}.jsonl`)
    },
  }
}

function byOrder(a: Draft, b: Draft): number {
  return a.order - b.order
}
