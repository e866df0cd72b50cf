import { fail } from '@filewright/protocol'
import type { ModelResult } from '../port/model.ts'

/** The address of an endpoint, however a person writes it: without a scheme, with a trailing slash, or with the route itself. */
export function endpointUrl(baseUrl: string, route: string): URL | undefined {
  const given = baseUrl.trim()
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  url.pathname = `${path}${route}`
  return url
}

/** Scheme, host and path, with a key in the path hidden. */
export function withoutCredentials({ origin, pathname }: URL, apiKey: string | undefined): string {
  const address = `${origin}${pathname}`
  const key = apiKey?.trim()
  return key ? address.replaceAll(key, '[key]') : address
}

/** A base URL without its credentials. */
export function shownAddress(baseUrl: string, apiKey: string | undefined): string {
  const url = endpointUrl(baseUrl, '')
  return url ? withoutCredentials(url, apiKey) : baseUrl
}

export function toNoAddress(name: string, baseUrl: string): ModelResult {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot use ${name}: "${baseUrl}" is not the address of an endpoint. Write it like http://127.0.0.1:8000/v1.`,
  )
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Nothing that is sent to it leaves the machine. */
export function isOnThisMachine(address: string): boolean {
  const host = endpointUrl(address, '')?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127\.[\d.]+$/.test(host)
}
