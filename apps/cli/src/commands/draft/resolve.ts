import { Exit, type FolderOptions, type Host, note, unwrapOrExit } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer, answerJson } from '../../output/output.ts'
import { showConflicts } from '../../output/show-conflicts.ts'

interface ResolveOptions extends FolderOptions {
  readonly changeIds: readonly string[]
  readonly theirs?: boolean
  readonly ours?: boolean
  readonly draft?: string
  readonly json?: boolean
}

export function resolve(options: ResolveOptions, host: Host): Promise<void> {
  const { changeIds, theirs, ours, draft: draftId } = options
  if (Boolean(theirs) === Boolean(ours))
    throw new Exit(
      EXIT_CODES.invalid,
      "say which side stays: --theirs (what is on disk) or --ours (the draft's change)",
    )
  const side = ours ? 'ours' : 'theirs'
  return host.inWorkspace(options, async ({ connection, params, config }) => {
    const body = { draftId, changeIds: [...changeIds], side, by: config.userName } as const
    const resolved = unwrapOrExit(await connection.call('resolve', { params, body }))
    if (options.json) return answerJson(resolved)
    answer(resolved.message)
    for (const id of resolved.dropped)
      if (!changeIds.includes(id)) note(`${id} was left out: it depends on a change given up.`)
    showConflicts(resolved.conflicts)
  })
}
