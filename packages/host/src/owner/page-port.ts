import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXIT_CODES } from '@filewright/protocol'
import { Exit } from '../exit/exit.ts'
import { type Listening, listen } from '../link/local-socket.ts'

const FIRST_PORT = 4680
const LAST_PORT = 4780

/** At the port, or at the first free one of a range: a browser finds the page where it was before. */
export async function listenSomewhere(
  fetch: Parameters<typeof listen>[0],
  host: string,
  port: number | undefined,
): Promise<Listening> {
  for (let candidate = port ?? FIRST_PORT; ; candidate++) {
    try {
      return await listen(fetch, { host, port: candidate })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && port === undefined && candidate < LAST_PORT) continue
      throw new Exit(EXIT_CODES.unavailable, portProblem(code, host, candidate))
    }
  }
}

function portProblem(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} is taken; omit --port to use a free one`
  if (code === 'EACCES') return `no permission to listen on port ${port}; use one above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `this machine has no address "${host}"; use 127.0.0.1`
  return `cannot listen on ${host}:${port} (${code})`
}

/** Of the page: beside the bundle, or in a checkout. */
export function findWebRoot(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url))
  return [
    join(here, 'web'),
    join(here, '../../web/dist'),
    join(here, '../../../../apps/web/dist'),
  ].find(folder => existsSync(join(folder, 'index.html')))
}

/** A page beside the main one; undefined where it was not built. */
export function readWebPage(name: string): string | undefined {
  const path = join(findWebRoot() ?? '', name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
