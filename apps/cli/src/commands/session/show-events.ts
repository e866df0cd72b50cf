import { createTurnText } from '@filewright/host'
import {
  type LineOf,
  type LogRow,
  type PlanStep,
  planLines,
  planTitle,
  type SessionEvent,
  visible,
  visibleBelow,
  visibleName,
} from '@filewright/protocol'
import type { Colours } from '../../terminal/colours.ts'
import type { Console } from '../../terminal/console.ts'

const KEPT_CALLS = 200
const SHOWN_LINES = 40
const ANNOUNCED_LINES = 3

interface Call {
  readonly label: string
  readonly arguments: string
  result?: string
  /** What the person answered when they refused it. */
  denial?: string
}

/** Shows the events of a session as they come, and keeps the last calls so that a person can open one. */
export class EventView {
  readonly #console: Console
  readonly #turn = createTurnText()
  readonly #calls = new Map<string, Call>()
  /** The calls of open approvals. */
  readonly #asked = new Map<string, string>()
  #plan: readonly string[] = []
  /** The call whose line was printed last. */
  #last: string | undefined
  /** A plan that a person is asked about is shown with the question. */
  #isPlanning = false
  #since: number | undefined
  #doing = ''
  #ticking: NodeJS.Timeout | undefined

  constructor(console: Console) {
    this.#console = console
  }

  begin(): void {
    this.#since ??= performance.now()
    this.#doing = 'Thinking'
    this.#ticking ??= setInterval(() => this.#tick(), 1000)
    this.#tick()
  }

  end(): void {
    clearInterval(this.#ticking)
    this.#ticking = undefined
    this.#since = undefined
    this.#console.endStream()
    this.#console.status(undefined)
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'row':
        return this.#row(event.row)
      case 'text-delta':
      case 'text-so-far':
        for (const { text, isAnew } of this.#turn.take(event)) {
          if (isAnew) this.#console.endStream()
          this.#console.stream(text)
        }
        return
      case 'call-progress':
        if (this.#calls.has(event.toolCallId)) this.#do(visibleName(event.text))
        return
      case 'queue': {
        const { length } = event.messages
        if (length > 0)
          this.#console.say(
            this.#console.colours.dim(`· ${length} waiting; /take-back gets the last one back`),
          )
        return
      }
      case 'run-lost':
        this.#console.say(this.#console.colours.red(`· ${visible(event.message)}`))
    }
  }

  /** The call that was made `back` calls ago: what was asked, and what came of it. */
  open(back: number): readonly string[] {
    const call = [...this.#calls.values()].at(-back)
    if (!call) return ['There is no such call yet.']
    const result = (call.result ?? '(still running)').split('\n')
    const more =
      result.length > SHOWN_LINES ? [`  … ${result.length - SHOWN_LINES} more lines`] : []
    return [
      this.#console.colours.bold(visible(call.label)),
      `  ${visible(call.arguments)}`,
      ...result.slice(0, SHOWN_LINES).map(line => `  ${visible(line)}`),
      ...more,
    ]
  }

  #row({ body }: LogRow): void {
    const { dim, yellow, red } = this.#console.colours
    const note = (text: string) => {
      this.#console.endStream()
      this.#console.say(text)
    }
    switch (body.type) {
      case 'run-start':
        this.#isPlanning = body.plan === true
        return
      case 'call-start':
        this.#keep(body.tool_call_id, { label: body.label, arguments: body.arguments })
        this.#last = body.tool_call_id
        note(dim(`· ${visible(body.label)}`))
        return this.#do(visible(body.label))
      case 'approval':
        this.#asked.set(body.approval_id, body.tool_call_id)
        return
      case 'decision':
        return this.#decided(body)
      case 'tool_result': {
        const call = this.#calls.get(body.tool_call_id)
        if (call) call.result = body.content
        if (!body.success) note(yellow(this.#whyNot(body)))
        return this.#do('Thinking')
      }
      case 'assistant_message':
        return this.#console.endStream()
      case 'plan':
        return this.#showPlan(body)
      case 'retry': {
        this.#turn.restart()
        const reason = visibleBelow(body.reason.replace(/\.$/, ''))
        note(yellow(`· ${reason}; trying again in ${Math.ceil(body.wait_ms / 1000)} s`))
        return this.#do('Waiting for the provider')
      }
      case 'helper':
        if (body.line.type === 'call-start') note(dim(`    · ${visible(body.line.label)}`))
        return
      case 'compaction':
        if (body.summary !== undefined)
          note(
            dim('· The conversation so far was summarized; your own messages stay word for word'),
          )
        return
      case 'notice':
        return note(yellow(`· ${visibleBelow(body.message)}`))
      case 'limit':
        return note(red(`· ${visibleBelow(body.message)}`))
    }
  }

  /** The first plan whole, later the items that changed. */
  #showPlan({ steps, tool_call_id }: LineOf<'plan'>): void {
    if (this.#isPlanning) return
    const lines = shownSteps(steps, this.#console.colours)
    const isGoingOn = lines.length === this.#plan.length
    const shown = isGoingOn ? lines.filter(line => !this.#plan.includes(line)) : lines
    this.#plan = lines
    if (shown.length === 0 && steps.length > 0) return
    this.#console.endStream()
    const isBelowItsCall = this.#last === tool_call_id && steps.length > 0
    const title = isBelowItsCall ? [] : [this.#console.colours.dim(`· ${planTitle(steps)}`)]
    this.#console.say([...title, ...shown])
  }

  #decided({ approval_id, decision, reason }: LineOf<'decision'>): void {
    const call = this.#calls.get(this.#asked.get(approval_id) ?? '')
    if (call && decision === 'denied') call.denial = reason ? `Refused: ${reason}` : 'Refused'
  }

  /** For a person; what the model was told, /open shows. */
  #whyNot({ tool_call_id, error_code, content }: LineOf<'tool_result'>): string {
    const call = this.#calls.get(tool_call_id)
    if (call?.denial !== undefined) return `  ${visibleBelow(call.denial)}`
    if (error_code === 'CANCELLED')
      return call ? '  It was stopped.' : '  A call that had not begun was not run.'
    if (error_code === 'UNKNOWN_TOOL') return '  The model asked for a tool that it does not have.'
    const which = call && this.#last !== tool_call_id ? `${visible(call.label)}: ` : ''
    return `  ${which}${reasonOf(content)}`
  }

  #keep(id: string, call: Call): void {
    this.#calls.set(id, call)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > KEPT_CALLS && oldest) this.#calls.delete(oldest)
  }

  #do(what: string): void {
    this.#doing = what
    this.#tick()
  }

  #tick(): void {
    if (this.#since === undefined) return
    const seconds = Math.round((performance.now() - this.#since) / 1000)
    this.#console.status(`${this.#doing} · ${seconds} s · Ctrl-C stops`)
  }
}

/** The first line of a refusal without its code, and where it announces lines the next ones too. */
function reasonOf(content: string): string {
  const lines = content.replace(/^\w+: /, '').split('\n')
  const most = lines[0]!.endsWith(':') ? 1 + ANNOUNCED_LINES : 1
  return lines.slice(0, most).map(visible).join('\n  ')
}

/** Items of a plan, done ones out of the way. */
export function shownSteps(steps: readonly PlanStep[], { dim, red, cyan }: Colours): string[] {
  const looks = { open: (line: string) => line, doing: cyan, done: dim, failed: red }
  return planLines(steps).map((line, at) => looks[steps[at]!.status](`  ${visible(line)}`))
}
