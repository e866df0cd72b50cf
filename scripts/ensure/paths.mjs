import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Ours alone, and ignored by git: deleting it costs time and nothing else. */
export const cache = `${root}.filewright-cache/`
