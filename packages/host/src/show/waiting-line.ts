import { visible } from '@filewright/protocol'

const FIRST_MS = 1_000 // what takes less is over before anybody waits
const LEAST_LABEL = 12 // characters of it, however much there is to say
const CLEAR = '\r\u001b[K'

export interface WaitingLine {
  /** How far it has come. */
  say(text: string): void
  /** The line goes away. */
  end(): void
}

export interface WaitingOptions {
  readonly stream?: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
  /** Called when the wait has become long. */
  readonly onLong?: () => void
}

/** The line is there while the work goes on. */
export async function whileWaiting<Value>(
  label: string,
  work: (line: WaitingLine) => Promise<Value>,
): Promise<Value> {
  const line = startWaiting(label)
  try {
    return await work(line)
  } finally {
    line.end()
  }
}

/** One line on a terminal that says what is waited for and how long; elsewhere, nothing. */
export function startWaiting(
  label: string,
  { stream = process.stderr, onLong }: WaitingOptions = {},
): WaitingLine {
  if (!stream.isTTY) return { say: () => {}, end: () => {} }
  let seconds = 0
  let told = ''
  const show = () => {
    const room = (stream.columns || 80) - 1
    const tail = visible(` … ${seconds} s${told === '' ? '' : ` · ${told}`}`)
    const head = visible(label)
      .slice(0, Math.max(LEAST_LABEL, room - tail.length))
      .trimEnd()
    stream.write(CLEAR + (head + tail).slice(0, room))
  }
  const timer = setInterval(() => {
    if (++seconds === 1) onLong?.()
    show()
  }, FIRST_MS)
  timer.unref()
  return {
    say(text) {
      told = text
      if (seconds > 0) show()
    },
    end() {
      clearInterval(timer)
      if (seconds > 0) stream.write(CLEAR)
    },
  }
}
