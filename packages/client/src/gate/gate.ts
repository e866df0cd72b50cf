import type { IdSource, Result, Rule } from '@filewright/protocol'
import { fail, ok } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { Damage } from '../state/damage.ts'
import type { RuleList } from '../state/rule-list.ts'
import { exactLength, foldRulePath, matchesRulePath, parseRulePath } from './rule-path.ts'

/** The part of a proposal that rules look at. */
export interface GateQuestion {
  readonly tool: string
  readonly sessionId: string
  /** `bytes`: size of the new content, without what stays of the file. */
  readonly files: readonly { readonly docPath: string; readonly bytes: number }[]
}

export type GateAnswer =
  | { readonly effect: 'allow' | 'deny'; readonly rule: Rule }
  | { readonly effect: 'ask' }

/** Keeps and evaluates rules: visible, revocable, durable. */
export interface Gate {
  answer(question: GateQuestion): GateAnswer
  /**
   * A key file is read only if a rule names exactly that file and is not only for writing: no pattern opens one. A rule
   * that denies or asks closes it again.
   */
  allowsReading(docPath: string): boolean
  /** A person allowed the full scan of a folder that needs a yes. */
  allowsScan(): boolean
  rules(): readonly Rule[]
  /** Rules that could not be read, for a person. */
  readonly trouble: readonly string[]
  /** Refuses a path that no file could ever match: such a rule would only look like one. */
  add(rule: Omit<Rule, 'id' | 'time'>): Promise<Result<Rule, 'INVALID_ARGUMENT'>>
  remove(id: string): Promise<Result<null, 'NOT_FOUND'>>
}

export async function openGate(kept: RuleList, ids: IdSource, now: () => string): Promise<Gate> {
  const loaded = await kept.load()
  const rules = new Map(loaded.rules.map(rule => [rule.id, rule]))
  const trouble = loaded.damage ? await allowNothing(loaded.damage) : []

  /**
   * A lost line may have revoked a rule, or denied part of what one allows: only rules that ask or deny are safe to
   * keep.
   */
  async function allowNothing({ lines, keptAs }: Damage): Promise<string[]> {
    const allowing = [...rules.values()].filter(
      ({ effect }) => effect === 'allow' || effect === 'scan',
    )
    for (const { id } of allowing) rules.delete(id)
    await kept.replace([...rules.values()])
    return [
      `The rules of this folder were damaged: ${lines} of their lines cannot be read. No rule allows anything any more (${allowing.length} of the readable ones did); the readable rules that deny or ask still apply. Run "filewright rules" and add what is missing. The damaged rules are kept as ${keptAs} in the state folder.`,
    ]
  }

  return {
    answer(question) {
      const answers = question.files.map(file => answerForFile([...rules.values()], question, file))
      const denied = answers.find(rule => rule?.effect === 'deny')
      if (denied) return { effect: 'deny', rule: denied }
      const first = answers[0]
      if (first && answers.every(rule => rule?.effect === 'allow'))
        return { effect: 'allow', rule: first }
      return { effect: 'ask' }
    },
    allowsReading(docPath) {
      const [first] = [...rules.values()]
        .filter(rule => isAboutReading(rule) && matchesRulePath(rule.path ?? '**', docPath))
        .sort(byRank)
      return first?.effect === 'allow' && foldRulePath(first.path ?? '') === docPath
    },
    allowsScan: () => [...rules.values()].some(({ effect }) => effect === 'scan'),
    rules: () => [...rules.values()],
    trouble,
    async add(given) {
      const { effect, ...narrowed } = given
      if (effect === 'scan' && Object.values(narrowed).some(part => part !== undefined))
        return fail(
          'INVALID_ARGUMENT',
          'No rule was made: "scan" covers the whole folder, so it takes no tool, path, size or session.',
        )
      const known = effect === 'scan' && [...rules.values()].find(rule => rule.effect === 'scan')
      if (known) return ok(known) // a repeated rule is still revoked by one call
      const path = given.path === undefined ? ok(undefined) : parseRulePath(given.path)
      if (!path.ok) return path
      const named = path.value === undefined ? given : { ...given, path: path.value }
      const rule: Rule = { ...named, id: ids('rule'), time: now() }
      await kept.add(rule)
      rules.set(rule.id, rule)
      return ok(rule)
    },
    async remove(id) {
      if (!rules.has(id))
        return fail(
          'NOT_FOUND',
          `There is no rule "${id}". The rules are ${[...rules.keys()].join(', ') || 'none'}.`,
        )
      await kept.remove(id)
      rules.delete(id)
      return ok(null)
    },
  }
}

function answerForFile(
  rules: readonly Rule[],
  { tool, sessionId }: GateQuestion,
  file: GateQuestion['files'][number],
): Rule | undefined {
  const matching = rules.filter(
    rule =>
      rule.effect !== 'scan' &&
      (rule.tool === undefined || rule.tool === tool) &&
      (rule.sessionId === undefined || rule.sessionId === sessionId) &&
      (rule.maxBytes === undefined || file.bytes <= rule.maxBytes) &&
      (rule.path === undefined || matchesRulePath(rule.path, file.docPath)),
  )
  return matching.sort(byRank)[0]
}

/** Excludes rules for a tool that writes; a rule limited to a session or a size opens nothing to others. */
function isAboutReading({ effect, tool, sessionId, maxBytes }: Rule): boolean {
  if (effect === 'scan' || (tool && findTool(tool)?.declaration.writes !== 'nothing')) return false
  return effect !== 'allow' || (sessionId === undefined && maxBytes === undefined)
}

/** The winning rule comes first. */
function byRank(a: Rule, b: Rule): number {
  return specificity(b) - specificity(a) || strictness(b) - strictness(a)
}

/** The path weighs most: a rule for one tool on a wide path does not outrank a rule on a folder in it. */
function specificity(rule: Rule): number {
  const path = rule.path === undefined ? 0 : 1000 * (1 + exactLength(rule.path))
  return (
    path + (rule.tool ? 100 : 0) + (rule.sessionId ? 10 : 0) + (rule.maxBytes !== undefined ? 1 : 0)
  )
}

function strictness(rule: Rule): number {
  return { deny: 2, ask: 1, allow: 0, scan: 0 }[rule.effect]
}
