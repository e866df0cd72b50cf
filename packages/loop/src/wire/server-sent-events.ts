/** Splits a stream of text into the `data` of its events. We have no use for comments, names and ids. */
export interface EventReader {
  push(text: string): string[]
  /** What a last event without its blank line holds. */
  end(): string[]
  /** Characters of an event that has no end yet. */
  readonly waiting: number
}

export function createEventReader(): EventReader {
  let rest = ''
  let data: string[] = []
  let held = 0

  const takeLine = (line: string, events: string[]) => {
    if (line === '') {
      const event = data.join('\n')
      if (event !== '') events.push(event) // an empty one only keeps the connection alive
      data = []
      held = 0
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5))
      held += line.length
    }
  }

  const push = (text: string): string[] => {
    if (!text.includes('\n')) {
      rest += text // not scanned again: a long line comes in hundreds of pieces
      return []
    }
    const events: string[] = []
    const whole = rest + text
    let from = 0
    for (let at = whole.indexOf('\n'); at >= 0; at = whole.indexOf('\n', from)) {
      takeLine(whole.slice(from, whole[at - 1] === '\r' ? at - 1 : at), events)
      from = at + 1
    }
    rest = whole.slice(from)
    return events
  }

  return {
    push,
    end: () => push('\n\n'),
    get waiting() {
      return rest.length + held
    },
  }
}
