/**
 * One question at a time: an answer that takes long is not overtaken by the next one, and whoever asks meanwhile gets an
 * answer that was asked for after them.
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
