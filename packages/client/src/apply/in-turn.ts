import { setImmediate as nextTick } from 'node:timers/promises'

const STEPS_BETWEEN_PAUSES = 64 // about 5 ms of the disk

/** One after the other. A small step on a disk does not wait, so that everybody else in the process would. */
export async function forEachInTurn<Item>(
  items: Iterable<Item>,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  let done = 0
  for (const item of items) {
    await step(item)
    if (++done % STEPS_BETWEEN_PAUSES === 0) await nextTick()
  }
}

/** At the same time. All end before a failure is reported, so nothing is under way in what is then closed or taken back. */
export async function sideBySide(...steps: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(steps)
  await Promise.all(steps)
}
