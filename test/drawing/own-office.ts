import { createOffice, type Office } from '@filewright/engine'
import { findOffice, readConfig } from '@filewright/host'
import { onTestFinished } from 'vitest'

/** LibreOffice as the product finds and starts it on this machine. */
export function startOffice(options: { readonly timeoutMs?: number } = {}): Office {
  const office = createOffice({
    find: () => findOffice(readConfig()),
    timeoutMs: PATIENT_MS,
    ...options,
  })
  onTestFinished(() => office.close())
  return office
}

const PATIENT_MS = 300_000 // the machine may be busy

const probe = createOffice({ find: () => findOffice(readConfig()), timeoutMs: PATIENT_MS })
const state = await probe.look()

/** Why tests that need it are skipped; undefined where they run. */
export const NO_DRAWING =
  state === 'ready'
    ? undefined
    : state === 'missing'
      ? 'skipped: LibreOffice is not installed'
      : 'skipped: LibreOffice cannot be kept from the network here'
