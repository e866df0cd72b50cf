/**
 * For the providers' packages: a redirect is an answer like another, which says where it leads. Followed, it would carry the key
 * to whatever host it names: only `authorization` is dropped on the way, and most keys stand in headers of their own.
 */
export const fetchHere: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual' })
