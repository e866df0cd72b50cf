const KEY = 'filewright-token'
const CHANNEL = 'filewright'

/**
 * The token of the printed address, kept for this tab only. It is taken out of the address bar, so
 * that a copied address or a screenshot does not give it away.
 */
export function takeToken(): string | undefined {
  const url = new URL(location.href)
  const token = url.searchParams.get('token') ?? fragmentOf(url).get('token')
  if (!token) return sessionStorage.getItem(KEY) ?? undefined
  keepToken(token)
  url.searchParams.delete('token')
  url.hash = ''
  history.replaceState(null, '', url)
  return token
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}

type TokenMessage = { readonly asks: true } | { readonly token: string }

/**
 * Tabs of this origin help each other out: a new one asks, one that has the token answers. Nothing is stored, no other
 * port hears it, and with the last tab it is gone.
 */
export function shareToken(token: string): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if ('asks' in data) channel.postMessage({ token } satisfies TokenMessage)
  }
  return () => channel.close()
}

const ASK_AGAIN_MS = 1000

/** Asks until it is stopped: the tab that can answer may be busy, or open later. */
export function askForToken(onToken: (token: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<TokenMessage>) => {
    if ('token' in data) onToken(data.token)
  }
  const ask = () => channel.postMessage({ asks: true } satisfies TokenMessage)
  ask()
  const timer = setInterval(ask, ASK_AGAIN_MS)
  return () => {
    clearInterval(timer)
    channel.close()
  }
}

/** What a person pastes: the token itself, or the whole address that was printed. */
export function tokenIn(text: string): string {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return trimmed
  const url = new URL(trimmed)
  return url.searchParams.get('token') ?? fragmentOf(url).get('token') ?? trimmed
}

function fragmentOf(url: URL): URLSearchParams {
  return new URLSearchParams(url.hash.slice(1))
}
