import type { Work } from '@filewright/host'
import { SLASH_COMMANDS } from './slash.ts'

const MOST = 12

/** Words that could stand in place of the last one: a command, or a file after an @. */
export async function completionsFor(work: Work, before: string): Promise<readonly string[]> {
  const word = /\S*$/.exec(before)![0]
  if (word.startsWith('/') && before === word)
    return Object.keys(SLASH_COMMANDS)
      .map(name => `/${name}`)
      .filter(name => name.startsWith(word))
  if (!word.startsWith('@')) return []
  const { connection, params } = work
  const named = word.slice(1)
  const listed = await connection.call('listFiles', { params, query: { named, limit: 100 } })
  if (!listed.ok) return []
  const paths = listed.value.files.map(({ path }) => path)
  const starting = paths.filter(path => path.toLowerCase().startsWith(named.toLowerCase()))
  return (starting.length > 0 ? starting : []).slice(0, MOST).map(path => `@${path}`)
}
