/** A name as it is compared: no-break spaces and runs of spaces, which nobody sees, are one space, and case is nothing. */
export function foldedName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}
