/** Requirements that no test proves yet, by the capability that brings them. `--update-gaps` keeps the list true. */
export const knownGaps: Record<string, string[]> = {}
