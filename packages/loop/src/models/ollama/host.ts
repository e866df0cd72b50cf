const PORT = '11434'
const BASE_URL = `http://127.0.0.1:${PORT}/v1`

/** `OLLAMA_HOST` is what the server binds to: a host, a port, both, or an address; anything else counts as not set. */
export function endpointOf(host: string | undefined): string {
  const given = host?.trim() ?? ''
  if (given === '') return BASE_URL
  const address = given.includes('://') ? given : `http://${given.replace(/^:/, '127.0.0.1:')}`
  try {
    const url = new URL(address)
    if (url.port === '' && !given.includes('://')) url.port = PORT
    if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
    return `${url.origin}/v1`
  } catch {
    return BASE_URL
  }
}
