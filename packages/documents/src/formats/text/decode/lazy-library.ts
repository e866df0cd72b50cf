import { createRequire } from 'node:module'

/**
 * Loads a library synchronously at its first use: most files are UTF-8, and the detector's tables add about 100 ms to
 * start-up. (`import()` would make every reader of text asynchronous.)
 */
export function lazyLibrary<Library>(name: string): () => Library {
  let library: Library | undefined
  return () => {
    library ??= createRequire(import.meta.url)(name) as Library
    return library
  }
}
