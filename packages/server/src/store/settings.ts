/** Small durable facts by name, as JSON: hashes of tokens, notices already shown. Secrets themselves never. */
export interface Settings {
  get<Value>(key: string): Promise<Value | undefined>
  /** Resolves when it is on the disk. */
  set(key: string, value: unknown): Promise<void>
  /** Reads and replaces the value atomically. */
  update<Value>(key: string, toNext: (value: Value | undefined) => Value): Promise<void>
  delete(key: string): Promise<void>
  /** By key, those that start with `prefix`. */
  list<Value>(prefix: string): Promise<readonly { readonly key: string; readonly value: Value }[]>
}
