import { unwrapOrExit, type Work } from '@filewright/host'
import {
  type Approval,
  type Decision,
  type OpenQuestion,
  visible,
  visibleBelow,
  visibleName,
} from '@filewright/protocol'
import type { Console } from '../../terminal/console.ts'
import { openApprovals } from '../approvals/approvals.ts'
import { openQuestions } from '../approvals/questions.ts'
import { showChange, showChanges } from './diff-view.ts'

/** Asks for whatever the run of this session waits for; false if something is left for later. */
export async function settle(work: Work, console: Console, sessionId: string): Promise<boolean> {
  for (const question of await openQuestions(work, sessionId))
    if (!(await settleQuestion(work, console, question))) return false
  for (const approval of await openApprovals(work, sessionId))
    if (!(await settleApproval(work, console, approval))) return false
  return true
}

async function settleQuestion(
  work: Work,
  console: Console,
  { id, question, choices }: OpenQuestion,
) {
  console.ring('Filewright has a question')
  const { bold } = console.colours
  console.say([
    bold(visibleBelow(question)),
    ...choices.map((choice, at) => `  ${at + 1}. ${visibleName(choice)}`),
  ])
  const given = await console.ask('Your answer (a number or your own words; empty: later):')
  if (!given?.trim()) return false
  const body = { answer: given.trim(), by: work.config.userName }
  const answered = await work.connection.call('answerQuestion', {
    params: { ...work.params, questionId: id },
    body,
  })
  if (!answered.ok) console.say(visible(answered.failure.message))
  return true
}

async function settleApproval(work: Work, console: Console, approval: Approval): Promise<boolean> {
  console.ring('Filewright waits for your decision')
  const { bold, yellow } = console.colours
  console.say(bold(visible(approval.label)))
  console.say(showChanges(approval.changes, console))
  for (const warning of approval.warnings) console.say(yellow(`Warning: ${visible(warning)}`))
  for (const { why } of approval.executed ?? []) console.say(yellow(visible(why)))
  const decision = await askDecision(console, approval, work.config.userName)
  if (!decision) {
    console.say('Left for later: /approvals asks again.')
    return false
  }
  const params = { ...work.params, approvalId: approval.id }
  const decided = await work.connection.call('decide', { params, body: decision })
  if (!decided.ok && decided.failure.code !== 'CONFLICT') unwrapOrExit(decided)
  if (!decided.ok) console.say(visible(decided.failure.message)) // answered elsewhere meanwhile
  return true
}

async function askDecision(
  console: Console,
  approval: Approval,
  by: string,
): Promise<Decision | undefined> {
  const some = approval.changes.length > 1 ? ', s some' : ''
  for (;;) {
    const given =
      (await console.ask(`Approve? y yes, a always, n no${some}, l later:`))?.trim() ?? ''
    const [word = '', ...rest] = wordsOf(given)
    if (given === '' || /^l(ater)?$/i.test(word)) return undefined
    if (/^y(es)?$/i.test(word)) return { decision: 'approved', by }
    if (/^n(o)?$/i.test(word))
      return { decision: 'denied', by, ...(await reasonFor(console, rest)) }
    if (/^a(lways)?$/i.test(word) && (await confirmRule(console, approval)))
      return { decision: 'approved', by, remember: 'always' }
    if (/^s(ome)?$/i.test(word) && some !== '') return askEach(console, approval, by)
  }
}

/** `no, because …` begins with the word `no`. */
function wordsOf(given: string): string[] {
  return given.replace(/^(\w+)[,.:;]+(?=\s|$)/, '$1').split(/\s+/)
}

async function reasonFor(console: Console, words: readonly string[]) {
  const given =
    words.length > 0
      ? words.join(' ')
      : await console.ask('Why? The model reads it (empty: no reason):')
  return given?.trim() ? { reason: given.trim() } : {}
}

/** The rule is shown before it is made. */
async function confirmRule(console: Console, { tool, changes }: Approval): Promise<boolean> {
  for (const path of new Set(changes.map(change => change.path)))
    console.say(`  From now on ${tool} may write ${visible(path)} without asking.`)
  return /^y(es)?$/i.test((await console.ask('Make this rule? y yes, n no:'))?.trim() ?? '')
}

async function askEach(
  console: Console,
  { changes }: Approval,
  by: string,
): Promise<Decision | undefined> {
  const refused: { changeId: string; reason?: string }[] = []
  for (const change of changes) {
    console.say(showChange(change, console.colours))
    const answer = await askOne(console)
    if (answer === 'later') return undefined
    if (answer !== 'yes') refused.push({ changeId: change.id, ...answer })
  }
  if (refused.length === changes.length)
    return { decision: 'denied', by, ...(refused[0]?.reason && { reason: refused[0].reason }) }
  return { decision: 'approved', by, refused }
}

/** Only a yes is one: what was not understood is asked again. */
async function askOne(console: Console): Promise<'yes' | 'later' | { reason?: string }> {
  for (;;) {
    const given = await console.ask('This one? y yes, n no (a reason may follow), l later:')
    const [word = '', ...rest] = wordsOf(given?.trim() ?? 'later')
    if (/^y(es)?$/i.test(word)) return 'yes'
    if (/^l(ater)?$/i.test(word)) return 'later'
    if (/^n(o)?$/i.test(word)) return rest.length > 0 ? { reason: rest.join(' ') } : {}
    console.say('Please answer with y, n or l.')
  }
}
