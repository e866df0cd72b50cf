import type { CallState, DraftId, DraftLine, SessionId } from '@filewright/protocol'
import type { DraftLogs, Shelf } from '../state/draft-logs.ts'
import { addLine, type Draft, foldDraft, orderOf } from './draft.ts'

/** The drafts of one workspace, each a log of its own; open ones are held, closed ones read when asked for. */
export interface DraftStore {
  /** Open drafts, last touched last. */
  open(): readonly Draft[]
  openOf(sessionId: SessionId): Draft | undefined
  find(id: DraftId): Promise<Draft | undefined>
  /** Durable, then visible. The first line of a new draft is its `open`. */
  append(id: DraftId, lines: readonly DraftLine[]): Promise<Draft>
  /** For a draft that stays open, visible at once: `kept` resolves when the lines are durable; if not, they are gone again. */
  begin(
    id: DraftId,
    lines: readonly DraftLine[],
  ): Promise<{ readonly draft: Draft; readonly kept: Promise<void> }>
  list(): Promise<readonly Draft[]>
  /** Logs that cannot be read: set aside when found, never removed. */
  damaged(): Promise<readonly DamagedDraft[]>
  /** Those found when the store was opened. */
  readonly foundDamaged: readonly DamagedDraft[]
  /** The log itself. */
  lines(id: DraftId): Promise<readonly DraftLine[]>
  /** How a call on any draft ended. */
  findOutcome(toolCallId: string): Promise<CallState | undefined>
  remove(id: DraftId): Promise<void>
  /** Hashes of all bytes named in its lines: bases, copied files, pictures. */
  namedBlobs(id: DraftId): Promise<ReadonlySet<string>>
}

export interface DamagedDraft {
  readonly id: DraftId
  /** For a person: what is wrong with it, and where it is kept. */
  readonly trouble: string
}

export async function openDraftStore(logs: DraftLogs): Promise<DraftStore> {
  const drafts = new Map<DraftId, Draft>()
  let newest: Pick<Draft, 'id' | 'order'> | undefined
  const asideBefore = new Set(await logs.list('damaged'))
  for (const id of await logs.list('open')) {
    const draft = await readFrom('open', id)
    if (!draft) continue
    if (draft.state !== 'open') await logs.move(id, 'open', 'closed')
    else hold(draft)
  }
  const foundDamaged = (await listDamaged()).filter(({ id }) => !asideBefore.has(id))

  // most requested ids are new and were never closed: no need to look at the logs
  let closed: Promise<Set<DraftId>> | undefined
  const closedIds = () => {
    closed ??= logs.list('closed').then(ids => new Set(ids))
    return closed
  }
  const readClosed = async (id: DraftId) =>
    (await closedIds()).has(id) ? readFrom('closed', id) : undefined

  // while a log moves from one shelf to the other it is found here
  const closing = new Map<DraftId, { readonly draft: Draft; readonly moved: Promise<void> }>()

  async function close(draft: Draft): Promise<void> {
    const moved = moveToClosed(draft.id).finally(() => closing.delete(draft.id))
    closing.set(draft.id, { draft, moved })
    await moved
  }

  async function moveToClosed(id: DraftId): Promise<void> {
    const ids = await closedIds()
    await logs.move(id, 'open', 'closed')
    ids.add(id)
  }

  /** Undefined: nothing of it was written, so nobody knows of it; or it is damaged, and now set aside. */
  async function readFrom(shelf: Shelf, id: DraftId): Promise<Draft | undefined> {
    const lines = await logs.read(shelf, id)
    const draft = lines && foldDraft(lines)
    if (draft) return draft
    const isMine = shelf !== 'closed' || (await closedIds()).delete(id) // a concurrent reader finds none
    if (!isMine) return undefined
    if (lines?.length === 0) await logs.remove(shelf, id)
    else await logs.move(id, shelf, 'damaged')
    return undefined
  }

  async function listDamaged(): Promise<DamagedDraft[]> {
    return (await logs.list('damaged')).map(id => ({
      id,
      trouble: `Its log cannot be read, so nothing more of it can be published. The log is kept as ${logs.placeOf('damaged', id)} in the state folder; it is text, and its lines contain what was written. Remove that file when you no longer need it.`,
    }))
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
    drafts.delete(id) // last touched comes last
    if (draft.state === 'open') hold(draft)
    return draft
  }

  async function foldAgain(id: DraftId): Promise<Draft> {
    const draft = foldDraft(await lines(id))!
    drafts.delete(id)
    if (draft.state === 'open') hold(draft)
    return draft
  }

  /** After lines that were not kept: what the log has. A draft that cannot be read now is shown when it is opened again. */
  async function holdAgain(id: DraftId): Promise<void> {
    const kept = await logs.read('open', id).catch(() => undefined)
    const draft = kept && foldDraft(kept)
    drafts.delete(id)
    if (draft?.state === 'open') hold(draft)
  }

  /** Adds an order when its time would not put it after every other draft. */
  function inOrder(id: DraftId, lines: readonly DraftLine[]): readonly DraftLine[] {
    const last = lines.findLast(line => 'time' in line)
    if (!last || !newest || newest.id === id || orderOf(last) > newest.order) return lines
    const order = newest.order + 1
    return lines.map(line => (line === last ? { ...line, order } : line))
  }

  async function lines(id: DraftId): Promise<readonly DraftLine[]> {
    await closing.get(id)?.moved
    const found = await logs.read(drafts.has(id) ? 'open' : 'closed', id)
    if (!found) throw new Error(`The log of the draft ${id} cannot be read`)
    return found
  }

  return {
    open: () => [...drafts.values()].sort(byOrder),

    openOf(sessionId) {
      return [...drafts.values()].findLast(
        draft => draft.sessionId === sessionId && draft.open.purpose === 'workshop',
      )
    },

    async find(id) {
      return drafts.get(id) ?? closing.get(id)?.draft ?? (await readClosed(id))
    },

    async append(id, given) {
      const lines = inOrder(id, given)
      await logs.append(id, lines)
      const draft = lines.some(({ type }) => type === 'rewind')
        ? await foldAgain(id)
        : add(id, lines)
      if (draft.state !== 'open') await close(draft)
      return draft
    },

    async begin(id, given) {
      const lines = inOrder(id, given)
      const begun = await logs.begin(id, lines)
      const draft = add(id, lines)
      const kept = begun.kept.catch(async error => {
        await holdAgain(id)
        throw error
      })
      kept.catch(() => {}) // whoever waits for it gets the error
      return { draft, kept }
    },

    async list() {
      let ids: readonly DraftId[]
      let ended: readonly (Draft | undefined)[]
      do {
        await Promise.all([...closing.values()].map(({ moved }) => moved))
        ids = [...(await closedIds())]
        ended = await Promise.all(ids.map(readClosed))
      } while (closing.size > 0 || (await closedIds()).size > ids.length) // one was closed meanwhile
      return [...ended.filter(draft => draft !== undefined), ...drafts.values()].sort(byOrder)
    },

    async findOutcome(toolCallId) {
      for (const draft of drafts.values()) {
        const outcome = draft.outcomes.get(toolCallId)
        if (outcome) return outcome
      }
      for (const { draft } of closing.values()) {
        const outcome = draft.outcomes.get(toolCallId)
        if (outcome) return outcome
      }
      for (const id of await closedIds()) {
        const outcome = (await readClosed(id))?.outcomes.get(toolCallId)
        if (outcome) return outcome
      }
      return undefined
    },

    lines,

    damaged: listDamaged,
    foundDamaged,

    async namedBlobs(id) {
      await closing.get(id)?.moved
      if (drafts.has(id)) return logs.namedBlobs('open', id)
      const closed = await logs.namedBlobs('closed', id)
      const damaged = await logs.namedBlobs('damaged', id)
      return new Set([...closed, ...damaged])
    },

    async remove(id) {
      drafts.delete(id)
      await logs.remove('open', id)
      await logs.remove('closed', id)
      const ids = await closedIds()
      ids.delete(id)
    },
  }
}

function byOrder(a: Draft, b: Draft): number {
  return a.order - b.order
}
