import { createTurnText } from '@filewright/host'
import { type LogRow, planLines, planTitle, type SessionEvent, visible } from '@filewright/protocol'
import type { Console } from '../../terminal/console.ts'

const KEPT_CALLS = 200
const SHOWN_LINES = 40
const ANNOUNCED_LINES = 3

interface Call {
  readonly label: string
  readonly arguments: string
  result?: string
}

/** Shows the events of a session as they come, and keeps the last calls so that a person can open one. */
export class EventView {
  readonly #console: Console
  readonly #turn = createTurnText()
  readonly #calls = new Map<string, Call>()
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
        if (this.#calls.has(event.toolCallId)) this.#do(visible(event.text))
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
      case 'call-start':
        this.#keep(body.tool_call_id, { label: body.label, arguments: body.arguments })
        note(dim(`· ${visible(body.label)}`))
        return this.#do(visible(body.label))
      case 'tool_result': {
        const call = this.#calls.get(body.tool_call_id)
        if (call) call.result = body.content
        if (!body.success) note(yellow(reasonOf(body.content)))
        return this.#do('Thinking')
      }
      case 'assistant_message':
        return this.#console.endStream()
      case 'plan':
        return note(
          [planTitle(body.steps), ...planLines(body.steps)]
            .map(line => dim(`  ${visible(line)}`))
            .join('\n'),
        )
      case 'retry':
        this.#turn.restart()
        return note(
          yellow(`· ${visible(body.reason)} Trying again in ${Math.ceil(body.wait_ms / 1000)} s`),
        )
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
        return note(yellow(`· ${visible(body.message)}`))
      case 'limit':
        return note(red(`· ${visible(body.message)}`))
    }
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

/** The first line of a refusal, and where it announces lines the next ones too. */
function reasonOf(content: string): string {
  const lines = content.split('\n')
  const most = lines[0]!.endsWith(':') ? 1 + ANNOUNCED_LINES : 1
  return lines
    .slice(0, most)
    .map(line => `  ${visible(line)}`)
    .join('\n')
}
