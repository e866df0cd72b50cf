import { unwrap } from '@filewright/protocol'
import type { Gate } from '../gate/gate.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'

/** Whether all of the folder may be looked through: a home folder, a disk's root and a very large tree need a yes. */
export interface Scan {
  isAllowed(): boolean
  /** For as long as this client lives; a yes that is to be remembered is a rule. */
  allow(): void
  /** Looks through the folder once at most: one that was no question is not looked through again. */
  findQuestion(): Promise<string | undefined>
  /** Remembers the yes, without which `ask` does not return. */
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
      if (entry.kind === 'question') return isAllowed() ? undefined : entry.message // a yes may have come meanwhile
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
