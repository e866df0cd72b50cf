import { setImmediate as nextTick } from 'node:timers/promises'

const STEPS_BETWEEN_PAUSES = 64 // about 5 ms of the disk

/**
 * Runs steps one after the other and yields now and then: a small step on a disk does not wait, so the rest of the
 * process would.
 */
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

/**
 * Runs steps at the same time. All end before a failure is reported, so nothing still runs on files that are then
 * closed or taken back.
 */
export async function sideBySide(
  ...steps: readonly (Promise<unknown> | undefined)[]
): Promise<void> {
  await Promise.allSettled(steps)
  await Promise.all(steps)
}
