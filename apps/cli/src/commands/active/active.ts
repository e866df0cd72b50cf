import {
  Exit,
  type FolderOptions,
  type Host,
  note,
  standingSession,
  unwrapOrExit,
} from '@filewright/host'
import { counted, EXIT_CODES } from '@filewright/protocol'
import { answer } from '../../output/output.ts'

interface ActiveOptions extends FolderOptions {
  readonly action: string
  readonly paths: readonly string[]
}

export function active({ action, paths, ...options }: ActiveOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async work => {
    const { connection } = work
    const params = { ...work.params, sessionId: await standingSession(work) }
    if (!['list', 'add', 'remove'].includes(action))
      throw new Exit(EXIT_CODES.invalid, `"${action}" is not list, add or remove`)
    for (const path of paths) {
      if (action === 'add')
        unwrapOrExit(await connection.call('addActiveFile', { params, body: { path } }))
      if (action === 'remove')
        unwrapOrExit(await connection.call('removeActiveFile', { params, query: { path } }))
    }
    const { files } = unwrapOrExit(await connection.call('listActiveFiles', { params }))
    if (files.length === 0) note('No file is active.')
    for (const file of files)
      answer(
        `${file.displayPath}  ${counted(file.sizeBytes, 'byte')}${file.isDirty ? '  unsaved' : ''}`,
      )
  })
}
