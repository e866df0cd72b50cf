/** Hands what is pushed to one reader, in order, until it is closed. */
export interface EventQueue<Value> extends AsyncIterable<Value> {
  push(values: readonly Value[]): void
  close(): void
}

export function createEventQueue<Value>(): EventQueue<Value> {
  const values: Value[] = []
  let isClosed = false
  let wake: (() => void) | undefined

  async function* read(): AsyncGenerator<Value> {
    for (;;) {
      while (values.length > 0) yield values.shift()!
      if (isClosed) return
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }

  return {
    push: more => {
      if (isClosed) return
      for (const value of more) values.push(value)
      wake?.()
    },
    close: () => {
      isClosed = true
      wake?.()
    },
    [Symbol.asyncIterator]: read,
  }
}
