import { createTurnText, note, startWaiting, type WaitingLine } from '@filewright/host'
import {
  type LogRow,
  type PlanStep,
  planLines,
  planTitle,
  type SessionEvent,
  visible,
  visibleBelow,
  visibleName,
} from '@filewright/protocol'

/** Text goes to stdout as it comes; what the tools do goes to stderr. */
export function createTextPrinter() {
  let isMidLine = false
  const turn = createTurnText()
  const running = new Set<string>()
  const canWait = process.stdout.isTTY === true // elsewhere the line could stand in the answer
  let waiting: WaitingLine | undefined

  /** From now on nothing may come for a while. */
  function wait(label: string) {
    if (canWait && !isMidLine) waiting = startWaiting(label)
  }

  function endWait() {
    waiting?.end()
    waiting = undefined
  }

  function write(text: string) {
    if (text === '') return
    process.stdout.write(visible(text))
    isMidLine = !text.endsWith('\n')
  }

  function endLine() {
    if (isMidLine) process.stdout.write('\n')
    isMidLine = false
  }

  function printPlan(steps: readonly PlanStep[]) {
    endLine()
    note(`· ${planTitle(steps)}`)
    for (const line of planLines(steps)) note(`    ${visible(line)}`)
  }

  function printRow({ body }: LogRow) {
    if (body.type === 'retry') {
      turn.restart()
      // the answer may go on in the middle of its line, which the note must not cut on stdout
      const reason = body.reason.replace(/\.$/, '')
      const again = `· ${visibleBelow(reason)}; trying again in ${Math.ceil(body.wait_ms / 1000)} s`
      note(isMidLine ? `\n${again}` : again)
    }
    // text cut at the output limit continues in the middle of its line
    const goesOn =
      body.type === 'assistant_message' && body.finish_reason === 'length' && !body.tool_calls
    if ((body.type === 'assistant_message' && !goesOn) || body.type === 'limit') endLine()
    if (body.type === 'call-start') note(`· ${body.label}`)
    if (body.type === 'call-start') running.add(body.tool_call_id)
    if (body.type === 'tool_result') running.delete(body.tool_call_id)
    if (body.type === 'plan') printPlan(body.steps)
    if (body.type === 'helper' && body.line.type === 'call-start') note(`    · ${body.line.label}`)
    if (body.type === 'tool_result' && !body.success) note(`  ${body.content.split('\n')[0]}`)
    if (body.type === 'compaction' && body.summary !== undefined)
      note('· The conversation so far was summarized; your own messages stay word for word')
    if (body.type === 'limit') note(`· ${visibleBelow(body.message)}`)
    if (body.type === 'notice') note(`· ${visibleBelow(body.message)}`)
  }

  function show(event: SessionEvent) {
    if (event.type === 'run-lost') return endLine() // the command ends with what it says
    if (event.type === 'queue' || event.type === 'thought-delta' || event.type === 'listeners')
      return
    if (event.type === 'call-progress') {
      if (running.has(event.toolCallId)) note(`  ${visibleName(event.text)}`)
      return
    }
    if (event.type === 'row') return printRow(event.row)
    for (const piece of turn.take(event)) {
      if (piece.isAnew) endLine()
      write(piece.text)
    }
  }

  return {
    begin: () => wait('Waiting for the model'),
    print(event: SessionEvent) {
      endWait()
      show(event)
      if (event.type === 'run-lost' || (event.type === 'row' && event.row.type === 'run-end'))
        return
      wait(running.size > 0 ? 'Working' : 'Waiting for the model')
    },
    endLine() {
      endWait()
      endLine()
    },
  }
}
