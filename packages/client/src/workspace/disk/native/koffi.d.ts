/** The part of koffi that is used here. The package is optional, so the types must hold without it. */
declare module 'koffi' {
  interface Library {
    /** A function of the library, by its C prototype. */
    func(prototype: string): (...args: readonly unknown[]) => number
  }
  const koffi: {
    /** `null`: what the process itself has loaded, libc among it. */
    load(path: string | null): Library
    /** That of the last call. */
    errno(): number
  }
  export default koffi
}
