const KEY = 'filewright-token'

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
