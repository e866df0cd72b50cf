import type { ChildProcess } from 'node:child_process'
import { start } from './checkout.ts'

export type Started = {
  npm: ChildProcess
  /** The printed address, with its token. */
  url: URL
  token: string
}

/** `npm start` on a port of its own, with its state in the given folder. */
export async function npmStart(
  checkout: string,
  state: string,
  options: string[] = [],
): Promise<Started> {
  const npm = start('npm', ['start', '--', '--port', '0', ...options], checkout, {
    CI: 'true',
    FILEWRIGHT_STATE: state,
  })
  const url = new URL(await addressSaidBy(npm))
  const token = url.searchParams.get('token') ?? new URLSearchParams(url.hash.slice(1)).get('token')
  if (!token) throw new Error(`The printed address has no token: ${url}`)
  return { npm, url, token }
}

function addressSaidBy(npm: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk
      const address = said.match(/https?:\/\/\S+token=[\w-]+/)?.[0]
      if (address) resolve(address)
    }
    npm.stdout?.on('data', hear)
    npm.stderr?.on('data', hear)
    npm.on('close', code => reject(new Error(`npm start ended with ${code}:\n${said}`)))
  })
}
