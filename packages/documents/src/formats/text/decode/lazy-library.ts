import { createRequire } from 'node:module'

/**
 * Loads a library at its first use and synchronously: most files are UTF-8, and the detector's tables cost a start-up
 * about 100 ms. (`import()` would make every reader of a text asynchronous.)
 */
export function lazyLibrary<Library>(name: string): () => Library {
  let library: Library | undefined
  return () => {
    library ??= createRequire(import.meta.url)(name) as Library
    return library
  }
}
