import type { Work } from '@filewright/host'
import type { Completion } from '../../terminal/console.ts'
import { SLASH_COMMANDS } from './slash.ts'

const MOST = 12
const QUOTED = /[\s"'`<>|*?;,!(){}[\]]/

/** What could stand in place of the last word: a command, or a file after an @. */
export async function completionsFor(work: Work, before: string): Promise<Completion> {
  const word = /@"[^"\n]*$|\S*$/.exec(before)![0]
  if (word.startsWith('/') && before === word) {
    const commands = Object.keys(SLASH_COMMANDS).map(name => `/${name}`)
    return { word, found: commands.filter(name => name.startsWith(word)) }
  }
  if (!word.startsWith('@')) return { word, found: [] }
  const named = word.replace(/^@"?/, '')
  const { connection, params } = work
  const listed = await connection.call('listFiles', { params, query: { named, limit: 100 } })
  if (!listed.ok) return { word, found: [] }
  const paths = listed.value.files.map(({ path }) => path)
  const starting = paths.filter(path => path.toLowerCase().startsWith(named.toLowerCase()))
  return { word, found: (starting.length > 0 ? starting : paths).slice(0, MOST).map(toMention) }
}

function toMention(path: string): string {
  return QUOTED.test(path) ? `@"${path}"` : `@${path}`
}
