import type { ChildProcess } from 'node:child_process'
import { type Address, addressSaidBy, start } from './checkout.ts'

/** `npm start` on its own port, with its state in the given folder. */
export async function npmStart(
  checkout: string,
  state: string,
): Promise<Address & { npm: ChildProcess }> {
  const npm = start('npm', ['start', '--', '--port', '0'], checkout, {
    CI: 'true',
    FILEWRIGHT_STATE: state,
  })
  return { npm, ...(await addressSaidBy(npm)) }
}
