import { type Host, unwrapOrExit, type WordKind, type Work } from '@filewright/host'

const MODELS_MS = 500 // a person waits at the key

/** What there is to name, of the kind that a word names. Trouble is no answer: a shell shows its own files then. */
export type NamedThings = (names: WordKind, typed: readonly string[]) => Promise<readonly string[]>

export function createNamedThings(host: Host): NamedThings {
  return async (names, typed) => {
    if (names === 'shells') return ['bash', 'zsh', 'fish']
    if (names === 'tools') return toolNames()
    if (names === 'topics') return topicNames(host)
    if (names === 'models') return (await import('../models/models.ts')).modelNames(MODELS_MS)
    let found: readonly string[] = []
    await host
      .inWorkspace({ cwd: after(typed, '-C', '--cwd') }, async work => {
        found = await idsOf(names, work, typed)
      })
      .catch(() => {})
    return found
  }
}

async function toolNames(): Promise<readonly string[]> {
  const { catalog } = await import('@filewright/tools')
  return catalog.map(({ declaration }) => declaration.name)
}

async function topicNames({ commands }: Host): Promise<readonly string[]> {
  const { TOPICS } = await import('../help/topics.ts')
  return [...Object.keys(TOPICS), ...commands.map(({ name }) => name)]
}

async function idsOf(
  names: Exclude<WordKind, 'models' | 'shells' | 'tools' | 'topics'>,
  { connection, params }: Work,
  typed: readonly string[],
): Promise<readonly string[]> {
  switch (names) {
    case 'approvals': {
      const open = unwrapOrExit(await connection.call('listApprovals', { params, query: {} }))
      return [...open.map(({ id }) => id), 'all']
    }
    case 'changes': {
      const query = { draftId: after(typed, '--draft') }
      const review = unwrapOrExit(await connection.call('review', { params, query }))
      return review.changes.map(({ id }) => id)
    }
    case 'drafts':
      return unwrapOrExit(await connection.call('listDrafts', { params })).map(({ id }) => id)
    case 'rules':
      return unwrapOrExit(await connection.call('listRules', { params })).map(({ id }) => id)
    case 'sessions': {
      const { sessions } = unwrapOrExit(await connection.call('listSessions', { params }))
      return sessions.map(({ sessionId }) => sessionId)
    }
  }
}

/** The word that was typed behind one of these. */
function after(typed: readonly string[], ...options: readonly string[]): string | undefined {
  const at = typed.findIndex(word => options.includes(word))
  return at < 0 ? undefined : typed[at + 1]
}
