/** For `vi.waitFor`, whose own second is too short for a busy machine: a wait that ends well costs nothing. */
export const PATIENCE = { timeout: 60_000, interval: 20 } as const
