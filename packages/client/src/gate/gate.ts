import type { GivenRule, IdSource, Result, Rule } from '@filewright/protocol'
import { fail, isOutsideName, OLDER_WRITE, ok } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { Damage } from '../state/damage.ts'
import type { RuleList } from '../state/rule-list.ts'
import { exactLength, foldRulePath, matchesRulePath, parseRulePath } from './rule-path.ts'

/** The part of a proposal that rules look at. */
export interface GateQuestion {
  readonly tool: string
  readonly sessionId: string
  readonly files: readonly GateFile[]
}

export interface GateFile {
  readonly docPath: string
  /** Size of the new content, without what stays of the file. */
  readonly bytes: number
  /** A key file, or one that other programs execute: no pattern allows writing it. */
  readonly needsName?: boolean
}

export type GateAnswer =
  | { readonly effect: 'allow' | 'deny'; readonly rule: Rule }
  | { readonly effect: 'ask' }

/** Keeps and evaluates rules: visible, revocable, durable. */
export interface Gate {
  answer(question: GateQuestion): GateAnswer
  /** A key file is read only where a `read` rule names it, until a rule that denies closes it again. */
  allowsReading(docPath: string): boolean
  /**
   * A key file is written only where a `write` or `ask` rule names it, until one that denies does; the rules then answer
   * for each call.
   */
  allowsWriting(docPath: string): boolean
  /** A rule names the file and allows every tool to write it: a person was asked about it once and for all. */
  writesUnasked(docPath: string): boolean
  /** A person said yes to this content of a file that tells agents how to work. */
  allowsInstructions(docPath: string, sha256: string): boolean
  /** What a person said about a tool of an MCP server outside, as long as it is defined like this. */
  answersCall(tool: string, sha256: string, sessionId: string): 'allow' | 'deny' | 'ask'
  /** A person allowed the full scan of a folder that needs a yes. */
  allowsScan(): boolean
  rules(): readonly Rule[]
  /** Rules that could not be read, for a person. */
  readonly trouble: readonly string[]
  /** Refuses a path that no file could ever match: such a rule would only look like one. */
  add(rule: GivenRule): Promise<Result<Rule, 'INVALID_ARGUMENT'>>
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
      ({ effect }) => effect !== 'ask' && effect !== 'deny',
    )
    for (const { id } of allowing) rules.delete(id)
    await kept.replace([...rules.values()])
    return [
      `The rules of this folder were damaged: ${lines} of their lines cannot be read. No rule allows anything any more (${allowing.length} of the readable ones did); the readable rules that deny or ask still apply. Run "filewright rules" and add what is missing. The damaged rules are kept as ${keptAs} in the state folder.`,
    ]
  }

  /** One yes for each file of instructions: to its content of now. */
  async function removeOlder({ effect, path }: GivenRule) {
    if (effect !== 'instructions') return
    const older = [...rules.values()].filter(
      rule => rule.effect === 'instructions' && names(rule, foldRulePath(path!)),
    )
    for (const { id } of older) {
      await kept.remove(id)
      rules.delete(id)
    }
  }

  return {
    answer(question) {
      const answers = question.files.map(file => answerForFile([...rules.values()], question, file))
      const denied = answers.find(rule => rule?.effect === 'deny')
      if (denied) return { effect: 'deny', rule: denied }
      const first = answers[0]
      if (first && answers.every(rule => rule?.effect === 'write'))
        return { effect: 'allow', rule: first }
      return { effect: 'ask' }
    },
    allowsReading(docPath) {
      const [first] = [...rules.values()]
        .filter(rule => isAboutReading(rule) && matchesRulePath(rule.path ?? '**', docPath))
        .sort(byRank)
      return first?.effect === 'read' && names(first, docPath)
    },
    allowsWriting(docPath) {
      const named = [...rules.values()].filter(rule => names(rule, docPath))
      const isClosed = named.some(
        ({ effect, tool, sessionId }) => effect === 'deny' && !tool && !sessionId,
      )
      return !isClosed && named.some(({ effect }) => effect === 'write' || effect === 'ask')
    },
    writesUnasked(docPath) {
      const named = [...rules.values()].filter(
        rule => names(rule, docPath) && !rule.tool && !rule.sessionId,
      )
      const isClosed = named.some(({ effect }) => effect === 'deny' || effect === 'ask')
      return !isClosed && named.some(rule => rule.effect === 'write' && rule.maxBytes === undefined)
    },
    allowsInstructions: (docPath, sha256) =>
      [...rules.values()].some(
        rule => rule.effect === 'instructions' && rule.sha256 === sha256 && names(rule, docPath),
      ),
    answersCall(tool, sha256, sessionId) {
      const about = [...rules.values()].filter(
        rule => rule.tool === tool && (rule.sessionId ?? sessionId) === sessionId,
      )
      const has = (effect: Rule['effect']) => about.some(rule => rule.effect === effect)
      if (has('deny')) return 'deny'
      if (has('ask')) return 'ask'
      const isAllowed = about.some(rule => rule.effect === 'call' && rule.sha256 === sha256)
      return isAllowed ? 'allow' : 'ask'
    },
    allowsScan: () => [...rules.values()].some(({ effect }) => effect === 'scan'),
    rules: () => [...rules.values()],
    trouble,
    async add(given) {
      const effect = given.effect === OLDER_WRITE ? 'write' : given.effect
      const path = given.path === undefined ? ok(undefined) : parseRulePath(given.path)
      if (!path.ok) return path
      const asked = { ...given, effect, ...(path.value !== undefined && { path: path.value }) }
      const refused = refuseWiderThanItsWord(asked)
      if (refused) return refused
      const known = effect === 'scan' && [...rules.values()].find(rule => rule.effect === 'scan')
      if (known) return ok(known) // a repeated rule is still revoked by one call
      await removeOlder(asked)
      const rule: Rule = { ...asked, id: ids('rule'), time: now() }
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

/** `scan` is about the folder, `read` and `instructions` about one file: none can be narrowed, and no pattern will do. */
function refuseWiderThanItsWord(rule: GivenRule): Result<never, 'INVALID_ARGUMENT'> | undefined {
  const { effect, path, tool, maxBytes, sessionId } = rule
  const isNarrowed = [tool, maxBytes, sessionId].some(part => part !== undefined)
  if (effect === 'scan' && (isNarrowed || path !== undefined))
    return fail(
      'INVALID_ARGUMENT',
      'No rule was made: "scan" covers the whole folder, so it takes no tool, path, size or session.',
    )
  if (effect === 'call') return refuseWideCall(rule)
  const isExact = !isNarrowed && path !== undefined && !/[*?{]/.test(path)
  if (effect === 'instructions' && (!isExact || rule.sha256 === undefined))
    return fail(
      'INVALID_ARGUMENT',
      'No rule was made: "instructions" says yes to one file, so it takes the exact path of that file, such as "AGENTS.md", and no tool, size or session.',
    )
  if (effect !== 'read' || isExact) return undefined
  return fail(
    'INVALID_ARGUMENT',
    'No rule was made: "read" opens one key file to every tool, so it takes the exact path of that file, such as ".env", and no tool, size or session. Other files are read without a rule.',
  )
}

/** One tool, as it is defined now; perhaps in one session. */
function refuseWideCall({ tool, sha256, path, maxBytes }: GivenRule) {
  const isOutside = tool !== undefined && isOutsideName(tool)
  if (isOutside && sha256 && path === undefined && maxBytes === undefined) return undefined
  return fail(
    'INVALID_ARGUMENT',
    'No rule was made: "call" allows one tool of an MCP server, such as github__create_issue, as it is defined now. It takes the tool and the hash of its definition, and no path or size.',
  )
}

function names({ path }: Rule, docPath: string): boolean {
  return path !== undefined && foldRulePath(path) === docPath
}

function answerForFile(
  rules: readonly Rule[],
  { tool, sessionId }: GateQuestion,
  file: GateFile,
): Rule | undefined {
  const matching = rules.filter(
    rule =>
      rule.effect !== 'scan' &&
      rule.effect !== 'instructions' &&
      rule.effect !== 'read' &&
      rule.effect !== 'call' &&
      (rule.effect !== 'write' || !file.needsName || names(rule, file.docPath)) &&
      (rule.tool === undefined || rule.tool === tool) &&
      (rule.sessionId === undefined || rule.sessionId === sessionId) &&
      (rule.maxBytes === undefined || file.bytes <= rule.maxBytes) &&
      (rule.path === undefined || matchesRulePath(rule.path, file.docPath)),
  )
  return matching.sort(byRank)[0]
}

/** A rule that denies a tool that writes says nothing about reading. */
function isAboutReading({ effect, tool }: Rule): boolean {
  if (effect === 'read') return true
  return effect === 'deny' && (!tool || findTool(tool)?.declaration.writes === 'nothing')
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
  return { deny: 2, ask: 1, write: 0, read: 0, scan: 0, instructions: 0, call: 0 }[rule.effect]
}
