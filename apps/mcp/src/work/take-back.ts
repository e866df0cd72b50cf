import { type ChangeSetSummary, type TakenBack, toVersion, visible } from '@filewright/protocol'
import type { Agent } from '../agent/agent.ts'
import type { DurableDeed } from '../gate/deed.ts'
import type { AgentAsking } from '../gate/gate.ts'
import type { Answered } from './answered.ts'
import { toFailed, toResult } from './to-result.ts'
import { refusal, withYes } from './with-yes.ts'

type Way = 'undo' | 'redo'

/** Undo or redo of one change set, once a person said yes to exactly that on exactly this history. */
export async function takeBack(
  way: Way,
  agent: Agent,
  { change_set_id: named }: { readonly change_set_id?: string },
  asking: AgentAsking,
): Promise<Answered> {
  const { connection, params } = agent
  const written = await agent.turns.read(() => connection.call('listChangeSets', { params }))
  if (!written.ok) return toFailed(written.failure)
  const { changeSets } = written.value
  const target = named === undefined ? findLast(way, changeSets) : findNamed(way, named, changeSets)
  if (!target)
    return toFailed(
      refusal(
        'NOT_FOUND',
        named === undefined
          ? `Nothing was written: there is nothing to ${way}.`
          : `Nothing was written: there is no change set "${named}" here.`,
      ),
    )
  const what = `the change set ${target.changeSetId}`
  const deed: DurableDeed = {
    tool: way,
    act: way,
    // every undo and redo is a change set itself, so the same words on a later history are another question
    subject: `${what} after ${changeSets[0]!.changeSetId}`,
    title: way === 'undo' ? `Undo ${what}` : `Redo ${what}`,
    details: `${filesOf(target)} ${way === 'undo' ? 'become what they were before.' : 'are written again.'}`,
    yes: way === 'undo' ? 'Undo' : 'Redo',
  }
  return withYes(agent, deed, await agent.session(), asking, async () => {
    const { changeSetId } = target
    const taken = await connection.call(way, { params, body: { changeSetId } })
    return taken.ok ? toResult(tellTakenBack(way, taken.value)) : toFailed(taken.failure)
  })
}

/** As the owner finds it: an undo takes the newest that stands, a redo the one that was undone last. */
function findLast(
  way: Way,
  newestFirst: readonly ChangeSetSummary[],
): ChangeSetSummary | undefined {
  const own = newestFirst.filter(({ undoes }) => undoes === undefined)
  if (way === 'undo') return own.find(({ isStanding }) => isStanding)
  for (const { undoes, isStanding } of newestFirst) {
    if (undoes === undefined) return undefined // something new was written since
    const undone = isStanding && own.find(({ changeSetId }) => changeSetId === undoes)
    if (undone) return undone
  }
  return undefined
}

/** A redo of an undo is meant for what it took back. */
function findNamed(
  way: Way,
  id: string,
  changeSets: readonly ChangeSetSummary[],
): ChangeSetSummary | undefined {
  const found = changeSets.find(({ changeSetId }) => changeSetId === id)
  return way === 'redo' && found?.undoes ? findNamed(way, found.undoes, changeSets) : found
}

const MOST_FILES = 12

function filesOf({ files }: ChangeSetSummary): string {
  const paths = files.slice(0, MOST_FILES).map(({ path }) => visible(path))
  return paths.join(', ') + (files.length > MOST_FILES ? ', …' : '')
}

function tellTakenBack(way: Way, { files, changeSetId, warnings }: TakenBack): string {
  const said = files.map(
    ({ path, after }) => `${path} ${after ? `is version ${toVersion(after)}` : 'is gone'}`,
  )
  const done = `${way === 'undo' ? 'Undone' : 'Redone'}: ${said.join(', ')}.`
  return [`${done} The change set is ${changeSetId}.`, ...warnings].join('\n')
}
