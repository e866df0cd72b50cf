const FIRST_MS = 1_000 // what takes less is over before anybody waits
const NEXT_MS = 2_000

/** Passes on what a person can read: nothing of a short call, and of a long one a line every two seconds. */
export function sparing(
  tell: (text: string) => void,
  now: () => number = () => performance.now(),
): (text: string) => void {
  let next = now() + FIRST_MS
  return text => {
    if (now() < next) return
    next = now() + NEXT_MS
    tell(text)
  }
}
