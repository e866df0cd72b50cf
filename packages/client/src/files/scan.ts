import { unwrap } from '@filewright/protocol'
import type { Gate } from '../gate/gate.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'

/** Whether the whole folder may be scanned: a home folder, a disk's root and a very large tree need a yes. */
export interface Scan {
  isAllowed(): boolean
  /** For the life of this client; a lasting yes is a rule. */
  allow(): void
  /** Checks the folder at most once: a folder that needs no question is not scanned again for it. */
  findQuestion(): Promise<string | undefined>
  /** Remembers the yes; `ask` returns only with one. */
  confirm(ask: (question: string) => Promise<void>): Promise<void>
}

export function createScan({
  gate,
  workspace,
  allowLarge = false,
}: {
  readonly gate: Gate
  readonly workspace: Pick<Workspace, 'list'>
  readonly allowLarge?: boolean
}): Scan {
  let isAllowedNow = allowLarge
  let isHarmless = false
  const isAllowed = () => isAllowedNow || gate.allowsScan()

  async function findQuestion(): Promise<string | undefined> {
    if (isHarmless || isAllowed()) return undefined
    for await (const entry of workspace.list())
      if (entry.kind === 'question') return isAllowed() ? undefined : entry.message // a yes may have come since
    isHarmless = true
    return undefined
  }

  return {
    isAllowed,
    allow() {
      isAllowedNow = true
    },
    findQuestion,
    async confirm(ask) {
      const question = await findQuestion()
      if (question === undefined) return
      await ask(question)
      unwrap(await gate.add({ effect: 'scan' }))
    },
  }
}
