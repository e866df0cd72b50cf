/** A look that cannot be read: why, in words. */
export class UnknownLook extends Error {}
