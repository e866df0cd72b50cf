import { fail, ok, type Result, type RouteName, type WorkspaceId } from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import type { DecisionLog } from '../../store/decisions.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { reaches, type Scope } from '../scope.ts'

export interface DecisionRouteParts {
  readonly decisions: DecisionLog
  readonly now: () => Date
  readonly calls: Pick<Calls, 'questions'>
}

/** The log of what tokens decided. */
export function createDecisionRoutes({
  decisions,
}: DecisionRouteParts): Pick<Routes, 'listDecisions'> {
  return {
    async listDecisions({ scope, query: { before, limit = PAGE, workspace } }) {
      if (workspace !== undefined && !reaches(scope, workspace))
        return fail('NOT_FOUND', `There is no workspace "${workspace}" on this server.`)
      const workspaces = workspace === undefined ? reachOf(scope) : [workspace as WorkspaceId]
      const found = await decisions.list({
        limit,
        ...(before !== undefined && { before }),
        ...(workspaces && { workspaces }),
      })
      const next = found.length === limit ? found.at(-1)?.position : undefined
      return ok({ decisions: found, ...(next !== undefined && { next }) })
    },
  }
}

const PAGE = 100

/** Undefined: everything, with what concerns the server itself. */
function reachOf({ workspaces }: Scope): readonly WorkspaceId[] | undefined {
  return workspaces === 'all' ? undefined : workspaces
}

/** What is kept of a decision; a key, or the words of a file, never. */
interface Kept {
  readonly target?: string | undefined
  readonly details?: object
}

type Deciding = Pick<
  Routes,
  | 'decide'
  | 'answerQuestion'
  | 'publish'
  | 'undo'
  | 'redo'
  | 'restore'
  | 'putContent'
  | 'addRule'
  | 'removeRule'
  | 'createToken'
  | 'revokeToken'
  | 'setModel'
  | 'deleteWorkspace'
  | 'deleteSession'
>

/** Undefined: this request decides nothing. */
type ToKept<Name extends keyof Deciding> = (
  request: RouteRequest<Name>,
  parts: DecisionRouteParts,
) => Kept | undefined | Promise<Kept | undefined>

const DECISIONS: { readonly [Name in keyof Deciding]: ToKept<Name> } = {
  decide: ({ params, body: { decision, refused, reason, remember, unasked } }) => ({
    target: params.approvalId,
    details: {
      decision,
      reason,
      remember,
      unasked,
      refused: refused?.map(({ changeId }) => changeId),
    },
  }),
  async answerQuestion({ params: { workspaceId, questionId }, body: { answer } }, { calls }) {
    const weighed = await calls.questions.weigh(workspaceId, questionId, answer)
    if (!weighed.ok || !weighed.value.decides) return undefined
    const { decides, subject, makesRule } = weighed.value
    return {
      target: questionId,
      details: { decides, subject, answer, ...(makesRule && { makesRule }) },
    }
  },
  publish: ({ body: { draftId, only, refused, revision, unasked } }) => ({
    target: draftId,
    details: { only, refused, revision, unasked },
  }),
  undo: ({ body }) => takenBack(body),
  redo: ({ body }) => takenBack(body),
  restore: ({ body: { id, named } }) => ({ target: id, details: { named } }),
  putContent: ({ query: { path, replace } }) => ({ target: path, details: { replace } }),
  addRule: ({ body }) => ({ details: body }),
  removeRule: ({ params }) => ({ target: params.ruleId }),
  createToken: ({ body }) => ({ target: body.name, details: body }),
  revokeToken: ({ params }) => ({ target: params.tokenId }),
  deleteWorkspace: ({ params }) => ({ target: params.workspaceId }),
  deleteSession: ({ params, query: { discard } }) => ({
    target: params.sessionId,
    details: { discard },
  }),
  setModel: ({ body: { apiKey, ...shown } }) => ({
    details: { ...shown, ...(apiKey !== undefined && { apiKey: '(given)' }) },
  }),
}

function takenBack({ changeSetId, draftId, named }: RouteRequest<'undo'>['body']): Kept {
  return { target: changeSetId ?? draftId, details: { named } }
}

/** The same routes, with a row for each request that was let in: before it is carried out, and with how it ended. */
export function recordDecisions<All extends Deciding>(routes: All, parts: DecisionRouteParts): All {
  const { decisions, now } = parts
  function recorded<Name extends keyof Deciding>(name: Name): Pick<Deciding, Name> {
    const handle = routes[name] as (request: RouteRequest<Name>) => Promise<Result<object | null>>
    const toKept = DECISIONS[name] as ToKept<Name>
    const recording = async (request: RouteRequest<Name>) => {
      const kept = await toKept(request, parts)
      if (!kept) return handle(request)
      const { target, details = {} } = kept
      const workspaceId = workspaceOf(request)
      const position = await decisions.begin({
        time: now().toISOString(),
        tokenId: request.scope.tokenId,
        name: request.scope.name,
        action: name,
        ...(workspaceId && { workspaceId }),
        ...(target !== undefined && { target }),
        details: brief(details),
      })
      const answered = await handle(request)
      const outcome = answered.ok ? 'done' : answered.failure.code
      await decisions.end(position, outcome, answered.ok ? resultOf(answered.value) : undefined)
      return answered
    }
    return { [name]: recording } as never
  }

  const all = Object.keys(DECISIONS).map(name => recorded(name as keyof Deciding))
  return Object.assign({}, routes, ...all) as All
}

const SHOWN_ITEMS = 50
const SHOWN_TEXT = 1_000

/** Enough to know what was meant, however much was sent. */
function brief(details: object): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(details, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > SHOWN_TEXT)
      return `${value.slice(0, SHOWN_TEXT)}…`
    if (!Array.isArray(value) || value.length <= SHOWN_ITEMS) return value
    return [...value.slice(0, SHOWN_ITEMS), `… ${value.length - SHOWN_ITEMS} more`]
  })
  return JSON.parse(text) as Record<string, unknown>
}

/** What the answer of the route says that it made. */
function resultOf(answer: object | null): string | undefined {
  const { changeSetId, tokenId, id } = Object(answer) as Partial<Record<string, string>>
  return changeSetId ?? tokenId ?? id
}

function workspaceOf({ params }: Pick<RouteRequest<RouteName>, 'params'>): WorkspaceId | undefined {
  return 'workspaceId' in params ? params.workspaceId : undefined
}
