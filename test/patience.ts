/** For `vi.waitFor`, whose default of one second is too short for a busy machine; a high limit costs nothing. */
export const PATIENCE = { timeout: 60_000, interval: 20 } as const
