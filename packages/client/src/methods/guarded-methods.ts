import {
  type Approval,
  type ClientMethods,
  type Decision,
  type ExecutedFile,
  fail,
  ok,
  type Result,
  type Review,
  type Rule,
  type SessionId,
} from '@filewright/protocol'
import type { Gate } from '../gate/gate.ts'
import type { MethodTable } from '../link/answerer.ts'

/** The person at this machine, who decides when the server is not trusted. */
export interface LocalPerson {
  readonly name: string
  /** Writes that no rule of this machine allows: asked about here, allowed, or decided on the server's page. */
  readonly writes: 'ask' | 'yes' | 'there'
  /** The rules that were made for this folder on this machine. */
  readonly rules: readonly Rule[]
  /** One question at a time; absent: nobody can be asked here. */
  readonly ask?: (question: LocalQuestion) => Promise<LocalAnswer>
}

export interface LocalQuestion extends Pick<Review, 'changes' | 'diffs' | 'warnings'> {
  readonly title: string
}

export type LocalAnswer = 'yes' | 'no' | 'later'

export interface GuardPorts {
  readonly person: LocalPerson
  readonly gate: Gate
  /** The server learns of a decision that was made and carried out here. */
  readonly tell: (approvalId: string, decision: Decision) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

type SentPolicy = ParamsOf<'tool-call'>['policy']
type ParamsOf<Method extends keyof ClientMethods> = ClientMethods[Method]['params']

/**
 * The methods for a server that is not trusted: it makes no rule, its policies count for nothing, and whatever writes a
 * file is allowed by this machine's rules or asked about here. What only reads is left as it is.
 */
export function guardMethods(base: MethodTable, ports: GuardPorts): MethodTable {
  const { person, gate } = ports
  const decideHere = createLocalDecisions(base, ports)

  /** Undefined: it may be written. */
  async function refuse(question: LocalQuestion): Promise<Result<never> | undefined> {
    if (!person.ask) return nobodyHere()
    const answer = await person.ask(question).catch(() => 'later' as const)
    return answer === 'yes' ? undefined : declined()
  }

  async function takeBack<Value>(
    what: string,
    act: (named?: string[]) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const title = `The server asks to ${what}.`
    const no = person.writes === 'ask' ? await refuse({ ...NOTHING, title }) : undefined
    if (no) return no
    const first = await act()
    const waiting = first.ok ? [] : ((first.failure.details?.executed ?? []) as ExecutedFile[])
    if (waiting.length === 0) return first
    const warnings = waiting.map(({ why }) => why)
    return (await refuse({ ...NOTHING, title, warnings })) ?? act(waiting.map(({ path }) => path))
  }

  return {
    ...base,
    async 'tool-call'({ turn, author, warnings, unsaved, policy: sent }) {
      const policy = policyHere(sent)
      const state = await base['tool-call']({ turn, author, warnings, unsaved, policy })
      if (state.ok && 'pending' in state.value) decideHere.ask(state.value.pending.approvalId)
      return state
    },
    'approval-decide': params => decideHere.decide(params),
    'draft-publish': params => publish(base, ports, params, refuse),
    undo: ({ changeSetId, draftId }) =>
      takeBack('undo what it wrote', named => base.undo({ changeSetId, draftId, named })),
    redo: ({ changeSetId, draftId }) =>
      takeBack('redo what was undone', named => base.redo({ changeSetId, draftId, named })),
    restore: ({ id }) => takeBack(`restore ${id}`, named => base.restore({ id, named })),
    upload: async () => nobodyUploads(),
    'rule-list': async () => ok([]),
    'call-allowed': async () => ok('ask'),
    'rule-add': async () => noRules(),
    'rule-remove': async () => noRules(),
  }

  function policyHere(sent: SentPolicy): SentPolicy {
    if (sent === 'person') return sent // it only makes us ask more
    return person.writes === 'yes' ? 'all' : 'ask'
  }

  function noRules(): Result<never> {
    return fail(
      'DENIED',
      `No rule was changed: rules are made by a person at the machine that offers this folder, with "filewright rules". They have ${gate.rules().length === 0 ? 'none' : 'some'} there.`,
    )
  }
}

function nobodyUploads(): Result<never> {
  return fail('DENIED', 'Nothing was written: put the file into the folder on its own machine.')
}

/** Approvals of this machine: asked about in turn, carried out here, then told to the server. */
function createLocalDecisions(base: MethodTable, { person, tell, onError }: GuardPorts) {
  const asked = new Set<string>()
  const decided = new Map<string, Decision>()
  let turn: Promise<unknown> = Promise.resolve()

  async function find(approvalId: string): Promise<Approval | undefined> {
    const listed = await base['approval-list']({})
    return listed.ok ? listed.value.find(({ id }) => id === approvalId) : undefined
  }

  async function askNow(approvalId: string): Promise<void> {
    const approval = await find(approvalId)
    if (!approval || !person.ask) return
    if (person.writes === 'there' && !approval.executed) return
    const answer = await person.ask({ ...approval, title: approval.label })
    if (answer === 'later') return
    const by = person.name
    const decision: Decision = { decision: answer === 'yes' ? 'approved' : 'denied', by }
    decided.set(approvalId, decision)
    await base['approval-decide']({ approvalId, decision })
    await tell(approvalId, decision)
  }

  return {
    ask(approvalId: string): void {
      if (asked.has(approvalId)) return
      asked.add(approvalId)
      turn = turn.then(() => askNow(approvalId)).catch(onError)
    },
    async decide({ approvalId, decision: sent }: ParamsOf<'approval-decide'>) {
      const here = decided.get(approvalId)
      if (here) return base['approval-decide']({ approvalId, decision: here })
      const { decision, by, reason, refused } = sent
      const given: Decision = { decision, by, reason, refused } // never `remember`, which makes a rule
      if (decision === 'denied') return base['approval-decide']({ approvalId, decision: given })
      const approval = await find(approvalId)
      const isTheirs = person.writes === 'there' && !approval?.executed
      return isTheirs ? base['approval-decide']({ approvalId, decision: given }) : decidesHere()
    },
  }
}

/** Publishes what the rules of this machine allow, or the person here; what other programs execute only the latter. */
async function publish(
  base: MethodTable,
  { person, gate }: GuardPorts,
  { draftId, only, refused = [], revision, unsaved, by }: ParamsOf<'draft-publish'>,
  refuse: (question: LocalQuestion) => Promise<Result<never> | undefined>,
) {
  const review = await base['draft-review']({ draftId })
  if (!review.ok) return review
  const { draft, changes, diffs, warnings, executed = [] } = review.value
  const isChosen = (id: string) => (only?.includes(id) ?? true) && !refused.includes(id)
  const chosen = changes.filter(({ id }) => isChosen(id))
  const isRisky = only !== undefined && executed.some(each => each.changeIds.some(isChosen))
  const files = [...new Set(chosen.map(({ docPath }) => docPath))].map(docPath => ({
    docPath,
    bytes: Number.POSITIVE_INFINITY,
  }))
  const sessionId = draft.sessionId as SessionId
  const answer = gate.answer({ tool: 'publish', sessionId, files })
  if (answer.effect === 'deny') return decidesHere()
  const isAllowed = answer.effect === 'allow' || person.writes !== 'ask'
  const asked = { draftId: draft.id, refused, unsaved }
  if (chosen.length === 0 || (isAllowed && !isRisky))
    return base['draft-publish']({ ...asked, only, revision, by })
  const title = `The server asks to publish the draft ${draft.id}.`
  const no = await refuse({ title, changes: chosen, diffs, warnings })
  if (no) return no
  const ids = chosen.map(({ id }) => id)
  return base['draft-publish']({
    ...asked,
    only: ids,
    revision: draft.revision, // just what was shown
    by: person.name,
  })
}

const NOTHING = { changes: [], diffs: [], warnings: [] }

function decidesHere(): Result<never> {
  return fail(
    'DENIED',
    'Nothing was written: the person at the machine that offers this folder decides there.',
  )
}

function declined(): Result<never> {
  return fail(
    'DENIED',
    'Nothing was written: the person at the machine that offers this folder did not allow it.',
  )
}

function nobodyHere(): Result<never> {
  return fail(
    'DENIED',
    'Nothing was written: nobody can be asked at the machine that offers this folder. Start "filewright attach" there on a terminal, or with --yes or --review-there.',
  )
}
