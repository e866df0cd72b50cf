/** Between the name of a server and its tool's: no tool of ours has it, so no server can take a name of ours. */
const MARK = '__'

/** What a person may call an MCP server: no two marks in a row, so that the name of a tool says which server it is from. */
export const OUTSIDE_SERVER = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/
export const OUTSIDE_SERVER_CHARACTERS = 32

/** A tool of an MCP server outside, as a run offers it: `NAME__tool`. */
export function toOutsideName(server: string, tool: string): string {
  return `${server}${MARK}${tool}`
}

export function isOutsideName(name: string): boolean {
  return name.includes(MARK)
}

/** The server in the name of its tool. */
export function outsideServerOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(MARK)))
}
