/** Keys that come this soon after a question were pressed before a person could have read it. */
export const TOO_SOON_MS = 400
