import type { Koffi, Native } from './calls.ts'

export type NativeCalls =
  | { readonly calls: Native }
  /** Why there are none. */
  | { readonly calls: null; readonly reason: string }

let loaded: Promise<NativeCalls> | undefined

export function loadNative(): Promise<NativeCalls> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<NativeCalls> {
  const platform = PLATFORMS[process.platform]
  if (!platform) return { calls: null, reason: `there is none for ${process.platform}` }
  try {
    const { default: koffi } = await import('koffi') // 10 ms, so only at the first write
    return { calls: (await platform()).bind(koffi) }
  } catch (error) {
    // not installed, no binary for this machine, or a libc without the function
    const [reason] = String(error instanceof Error ? error.message : error).split('\n')
    return { calls: null, reason: reason! } // the lines after it are paths of this machine
  }
}

const PLATFORMS: Readonly<Partial<Record<string, () => Promise<{ bind(koffi: Koffi): Native }>>>> =
  {
    linux: () => import('./linux.ts'),
    darwin: () => import('./darwin.ts'),
    win32: () => import('./windows.ts'),
  }
