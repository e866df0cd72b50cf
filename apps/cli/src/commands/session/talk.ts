import {
  dropUnlessBegun,
  lastCursor,
  type RunEnd,
  unwrapOrExit,
  type Work,
  watchRun,
} from '@filewright/host'
import {
  describeSpend,
  type LogRow,
  type PlanStep,
  type Toolset,
  type Usage,
  visible,
} from '@filewright/protocol'
import type { Console } from '../../terminal/console.ts'
import { settle } from './decide.ts'
import { patientWork } from './patient-work.ts'
import { type Earlier, recall } from './recall.ts'
import { reviewOf, summarize } from './review-draft.ts'
import { EventView, shownSteps } from './show-events.ts'

export interface TalkOptions {
  readonly model?: string
  readonly toolset?: Toolset
  readonly plan?: boolean
}

const EARLIER_LINES = 12
const STOPPED = '· The last run stopped before its end: /resume goes on'

/** The conversation of an interactive session: what a person sends, what comes back, and what waits for them. */
export class Talk {
  readonly work: Work
  readonly console: Console
  readonly events: EventView
  readonly #toolset: Toolset | undefined
  #stop = new AbortController()
  model: string | undefined
  isPlanning: boolean
  sessionId: string | undefined
  isRunning = false
  spent: string | undefined
  #plan: readonly PlanStep[] = []
  #lastMessage: { readonly seq: number; readonly text: string } | undefined
  #isSettling = false
  /** The changes of the draft when it was last described. */
  #known: ReadonlySet<string> = new Set()

  constructor(work: Work, console: Console, { model, toolset, plan = false }: TalkOptions) {
    this.work = patientWork(work, console, { isShown: () => !this.isRunning })
    this.console = console
    this.events = new EventView(console)
    this.model = model
    this.#toolset = toolset
    this.isPlanning = plan
  }

  /** Where a request goes that is about this session. */
  get params() {
    return { ...this.work.params, sessionId: this.sessionId! }
  }

  /** An earlier conversation: shows where it stands, and asks for what waits. */
  async goOnWith(sessionId: string): Promise<void> {
    const earlier = await recall(this.work, sessionId)
    this.sessionId = sessionId
    this.#lastMessage = earlier.message
    this.#plan = earlier.plan
    this.isPlanning ||= earlier.wasPlanning
    this.#show(earlier)
    await this.#watch()
    const { state, stopped } = unwrapOrExit(
      await this.work.connection.call('getSession', { params: this.params }),
    )
    const isCutOff = state === 'running' && this.work.connection.isOwner()
    if (state === 'running' && !isCutOff) return this.#begin()
    if (state === 'waiting') return void this.settle()
    await this.#summarize({ isRunSaid: false })
    if (stopped !== undefined || isCutOff)
      this.console.say(this.console.colours.dim(`${STOPPED}${this.#openItem()}`))
    else if (earlier.wasPlanning && earlier.isComplete) void this.#offerPlan()
  }

  #openItem(): string {
    const open = this.#plan.find(({ status }) => status === 'doing' || status === 'open')
    return open ? ` with: ${visible(open.text)}` : ''
  }

  #show({ message, answer, closing, plan }: Earlier): void {
    const { bold, dim } = this.console.colours
    const brief = (text: string) => {
      const lines = text.trim().split('\n')
      const left = lines.length - EARLIER_LINES
      return [...lines.slice(0, EARLIER_LINES), ...(left > 0 ? [`… ${left} more lines`] : [])]
    }
    if (message) this.console.say(brief(message.text).map(line => bold(`> ${visible(line)}`)))
    if (answer !== undefined) {
      this.console.stream(`${brief(answer).join('\n')}\n`)
      this.console.endStream()
    }
    if (closing !== undefined) this.console.say(dim(visible(closing)))
    if (plan.some(({ status }) => status !== 'done')) this.#showPlan(plan)
  }

  async send(
    text: string,
    { plan = this.isPlanning }: { readonly plan?: boolean } = {},
  ): Promise<void> {
    if (this.sessionId !== undefined) return this.#sendHere(text, plan)
    const { connection, params } = this.work
    const body = { title: text.trim().slice(0, 60) }
    const { sessionId } = unwrapOrExit(await connection.call('createSession', { params, body }))
    await dropUnlessBegun(this.work, sessionId, async begun => {
      this.sessionId = sessionId
      await this.#watch()
      await this.#sendHere(text, plan).catch(error => {
        this.sessionId = undefined
        throw error
      })
      begun()
    })
  }

  async #sendHere(text: string, plan: boolean): Promise<void> {
    const { connection } = this.work
    const model = await connection.useModel(this.model)
    const body = { text, model, toolset: this.#toolset, approve: 'ask' as const, plan }
    const answered = await connection.call('sendMessage', { params: this.params, body })
    if (!answered.ok && (await this.#waits())) return this.#askFirst(text)
    const sent = unwrapOrExit(answered)
    if (sent.notice) this.console.say(this.console.colours.dim(visible(sent.notice)))
    if (!sent.steered) this.#begin()
  }

  async #waits(): Promise<boolean> {
    const asked = await this.work.connection.call('getSession', { params: this.params })
    return asked.ok && asked.value.state === 'waiting'
  }

  /** The message stays in the field: what waits for an answer goes first. */
  #askFirst(text: string): Promise<void> {
    this.console.prefill(text)
    this.console.say('Your answer to this comes first; the message is still in the field:')
    return this.settle()
  }

  async resume(): Promise<void> {
    if (this.sessionId === undefined) return this.console.say('Nothing to resume yet: type a task.')
    const model = await this.work.connection.useModel(this.model)
    const body = { ...(model && { model }), approve: 'ask' as const, goOn: true }
    const { resumed } = unwrapOrExit(
      await this.work.connection.call('resume', { params: this.params, body }),
    )
    if (resumed) this.#begin()
    else this.console.say('No run of this session is stopped.')
  }

  async cancel(): Promise<void> {
    await this.work.connection.call('cancel', { params: this.params, body: {} })
  }

  /** Takes the last message back, with everything that came of it and was not published. */
  async takeBackLast(): Promise<string | undefined> {
    const last = this.#lastMessage
    if (!last || this.isRunning) return undefined
    const body = { seq: last.seq, by: this.work.config.userName }
    const rewound = await this.work.connection.call('rewind', { params: this.params, body })
    const { withdrawn, written } = unwrapOrExit(rewound)
    this.#lastMessage = undefined
    if (withdrawn.length > 0)
      this.console.say(`· Out of the draft again: ${withdrawn.map(visible).join(', ')}`)
    if (written.length > 0)
      this.console.say(`· Already written, and left as it is: ${written.map(visible).join(', ')}`)
    return last.text
  }

  /** Asks for what waits, then lets the run go on. */
  async settle(): Promise<void> {
    if (this.#isSettling || this.sessionId === undefined) return
    this.#isSettling = true
    try {
      if (await settle(this.work, this.console, this.sessionId)) this.#begin()
      else this.#end()
    } finally {
      this.#isSettling = false
    }
  }

  close(): void {
    this.#stop.abort()
    this.events.end()
  }

  #begin(): void {
    this.isRunning = true
    this.events.begin()
  }

  #end(): void {
    this.isRunning = false
    this.events.end()
  }

  async #watch(): Promise<void> {
    const sessionId = this.sessionId!
    this.#stop.abort()
    this.#stop = new AbortController()
    const { signal } = this.#stop
    const after = unwrapOrExit(await lastCursor(this.work, sessionId))
    const settings = { model: this.model, approve: 'ask' as const }
    const ends = watchRun(
      this.work,
      sessionId,
      after,
      {
        onEvent: event => {
          if (event.type === 'row') this.#note(event.row)
          this.events.take(event)
        },
      },
      { signal, settings },
    )
    const follow = async () => {
      for await (const end of ends) await this.#onEnd(end)
    }
    follow().catch(error => {
      this.#end()
      this.console.say(this.console.colours.red(visible(String(error?.message ?? error))))
    })
  }

  #note({ seq, body }: LogRow): void {
    if (body.type === 'user_message') this.#lastMessage = { seq, text: body.text }
    if (body.type === 'plan') this.#plan = body.steps
    if (body.type === 'run-start') this.#begin()
  }

  async #onEnd(end: RunEnd): Promise<void> {
    this.#end()
    const { dim, red } = this.console.colours
    if (end.reason === 'waiting') return void this.settle()
    if (end.message && end.reason !== 'limit')
      this.console.say(end.reason === 'failed' ? red(visible(end.message)) : visible(end.message))
    if (end.usage) this.spent = describeSpend(end.usage)
    if (end.usage && hasSpent(end.usage)) this.console.say(dim(`· ${this.spent}`))
    this.console.say(visible(end.closing))
    if (end.reason !== 'final') this.console.say(dim('· /resume goes on where it stopped'))
    await this.#summarize({ isRunSaid: true })
    if (this.isPlanning && end.reason === 'final') void this.#offerPlan()
  }

  /** What a run has left in the draft, its own last line says; what was there before belongs to it too. */
  async #summarize({ isRunSaid }: { readonly isRunSaid: boolean }): Promise<void> {
    const review = await reviewOf(this.work, this.sessionId!)
    const ids = review?.changes.map(({ id }) => id) ?? []
    const isAllSaid = isRunSaid && !ids.some(id => this.#known.has(id))
    this.#known = new Set(ids)
    if (!review) return
    this.console.say([
      ...(isAllSaid ? [] : summarize(review)),
      this.console.colours.dim(
        '· /review shows the draft, /publish writes it, /discard throws it away',
      ),
    ])
  }

  #showPlan(plan: readonly PlanStep[]): void {
    this.console.say(['The plan:', ...shownSteps(plan, this.console.colours)])
  }

  /** The plan waits for a person: as it is, with other words, or not at all. */
  async #offerPlan(): Promise<void> {
    if (this.#plan.length === 0) return
    this.console.ring('Filewright has a plan')
    this.#showPlan(this.#plan)
    const question = 'Work through it? y yes, e edit it, n no:'
    const given = (await this.console.ask(question))?.trim() ?? ''
    if (/^e(dit)?$/i.test(given)) return this.#editPlan()
    if (/^(n|no)?$|^\//i.test(given))
      return this.console.say('Not started. Say what should be different, or /plan off.')
    if (!/^y(es)?$/i.test(given)) return this.send(given)
    this.isPlanning = false
    await this.send('The plan is approved. Work through it item by item, and keep it up to date.', {
      plan: false,
    })
  }

  async #editPlan(): Promise<void> {
    const texts = this.#plan.map(({ text }) => text)
    const mark = [';', '|', '//'].find(each => texts.every(text => !text.includes(each))) ?? ' // '
    const question = `The plan, items separated by "${mark}":`
    const edited = (await this.console.ask(question, { preset: texts.join(`${mark} `) }))?.trim()
    if (!edited) return this.console.say('Not started. Say what should be different, or /plan off.')
    this.isPlanning = false
    const steps = edited.split(mark).filter(step => step.trim() !== '')
    const list = steps.map((step, at) => `${at + 1}. ${step.trim()}`)
    await this.send(
      `I changed the plan. Work through this one item by item, and keep it up to date:\n${list.join('\n')}`,
      { plan: false },
    )
  }
}

function hasSpent({ inputTokens, outputTokens, cost = 0, unknown }: Usage): boolean {
  return inputTokens + outputTokens + cost > 0 || unknown === true
}
