import { note } from '@filewright/host'
import { type SessionEvent, visible } from '@filewright/protocol'

/** Text goes to stdout as it comes; what the tools do goes to stderr. */
export function createTextPrinter() {
  let isMidLine = false
  let printed = { turnId: '', chars: 0 }
  return {
    print(event: SessionEvent) {
      if (event.type === 'run-lost') return this.endLine() // the command ends with what it says
      if (event.type !== 'row') {
        const before = printed.turnId === event.turnId ? printed.chars : 0
        // after a reconnect the text comes again from its beginning
        const text = event.type === 'text-so-far' ? event.text.slice(before) : event.text
        printed = { turnId: event.turnId, chars: before + text.length }
        if (text === '') return
        process.stdout.write(process.stdout.isTTY ? visible(text) : text)
        isMidLine = !text.endsWith('\n')
        return
      }
      const { body } = event.row
      if (body.type === 'retry') printed = { turnId: '', chars: 0 }
      // what was cut at the output limit goes on in the middle of its line
      const goesOn =
        body.type === 'assistant_message' && body.finish_reason === 'length' && !body.tool_calls
      if ((body.type === 'assistant_message' && !goesOn) || body.type === 'retry') this.endLine()
      if (body.type === 'call-start') note(`· ${body.label}`)
      if (body.type === 'tool_result' && !body.success) note(`  ${body.content.split('\n')[0]}`)
      if (body.type === 'retry')
        note(
          `· ${body.reason.replace(/\.$/, '')}; trying again in ${Math.ceil(body.wait_ms / 1000)} s`,
        )
      if (body.type === 'limit') {
        this.endLine()
        note(`· ${body.message}`)
      }
    },
    endLine() {
      if (isMidLine) process.stdout.write('\n')
      isMidLine = false
    },
  }
}
