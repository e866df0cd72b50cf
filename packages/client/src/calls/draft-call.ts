import type { CallIds, Circumstances, DraftLine } from '@filewright/protocol'
import type { ClientContext, Files } from '@filewright/tools'
import { addLine, type Draft, scratchOf } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { arrangeAll } from '../files/arrange-files.ts'
import { createDraftFiles } from '../files/draft-files.ts'
import type { FileLister } from '../files/file-lister.ts'
import { createEditor, type EditWork } from './edit-draft.ts'
import { sparing } from './progress.ts'

/** One call's work on a draft: nothing is kept until its lines are. */
export interface DraftCall {
  readonly context: ClientContext
  /** The lines of the call, in order. */
  readonly lines: readonly DraftLine[]
  /** The call failed: the engine forgets its state of it. */
  abandon(): void
}

export interface DraftCallOptions {
  readonly desk: Desk
  readonly lister: FileLister
  /** The session's draft, or an empty one that is opened when the call writes. */
  readonly draft: Draft
  readonly ids: CallIds
  readonly circumstances: Circumstances
  readonly onProgress: (text: string) => void
}

/** Each part of the context is created on first use: most tools need one. */
export function startDraftCall(options: DraftCallOptions): DraftCall {
  const { desk, lister, ids, circumstances } = options
  const scratch = scratchOf(options.draft)
  const lines: DraftLine[] = []
  const touched = new Set<string>()
  let files: Files | undefined
  const work: EditWork = {
    desk,
    lister,
    scratch,
    ids,
    circumstances,
    time: circumstances.time,
    lines,
    get files() {
      files ??= createDraftFiles(desk, lister, scratch)
      return files
    },
    record(line) {
      lines.push(line)
      addLine(scratch, line)
    },
    touch: key => touched.add(key),
  }
  return {
    context: {
      call: ids,
      get files() {
        return work.files
      },
      draft: {
        edit: (...asked) => createEditor(work).edit(...asked),
        arrange: steps => arrangeAll(work, steps),
      },
      progress: sparing(options.onProgress),
    },
    lines,
    abandon() {
      for (const key of touched) {
        desk.engines.trusted.forget(key)
        desk.engines.hostile.forget(key)
      }
    },
  }
}
