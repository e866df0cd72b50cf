/**
 * One question at a time: a later answer cannot overtake a slow one, and a caller that asks meanwhile gets an answer
 * requested after its call.
 */
export function askedInTurn(ask: () => Promise<unknown>): () => void {
  let isUnderWay = false
  let isWanted = false
  const work = async () => {
    isUnderWay = true
    while (isWanted) {
      isWanted = false
      await ask()
    }
    isUnderWay = false
  }
  return () => {
    isWanted = true
    if (!isUnderWay) work()
  }
}
