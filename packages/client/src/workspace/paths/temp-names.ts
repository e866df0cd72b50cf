/**
 * Temporary names that an apply uses next to its targets: hidden, recognisable, unguessable through the token, and in
 * lower case so that no disk folds two of them. They are never listed, and no tool may use them.
 */
export interface TempNames {
  /** The new bytes before they are linked in. */
  readonly staged: string
  /** The old file that was moved away. */
  readonly kept: string
  /** Our own new file while an apply is taken back. */
  readonly withdrawn: string
}

const PREFIX = '.filewright~'
const TEMP_NAME = /^\.filewright~([0-9a-f]{16})-([0-9]{1,9})\.(?:new|old|out)$/

export function tempNames(token: string, index: number): TempNames {
  const name = `${PREFIX}${token}-${index}`
  return { staged: `${name}.new`, kept: `${name}.old`, withdrawn: `${name}.out` }
}

export function readTempName(name: string): { token: string; index: number } | null {
  const [, token, index] = TEMP_NAME.exec(name) ?? []
  return token === undefined ? null : { token, index: Number(index) }
}

/** Any name a tool must not use: ours may grow new endings, so the whole prefix is reserved. */
export function isReservedName(name: string): boolean {
  return name.startsWith('.') && name.toLowerCase().startsWith(PREFIX)
}
