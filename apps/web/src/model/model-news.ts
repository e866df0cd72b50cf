const CHANNEL = 'filewright-model'

/** Another model is in use: whatever shows it, here or in another tab, asks again. */
export function tellModelSet(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('set')
  channel.close()
}

/** Until the returned function is called. */
export function onModelSet(hear: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = hear
  return () => channel.close()
}
