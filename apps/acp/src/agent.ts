import type {
  AgentApp,
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
} from '@agentclientprotocol/sdk'
import { type Config, type Connection, version } from '@filewright/host'
import { type AttachedEditor, sendUpdate } from './editor/editor.ts'
import type { OpenSession } from './editor/open-session.ts'
import type { AcpSdk } from './protocol/sdk.ts'
import { tellCommands } from './session/commands.ts'
import { choose, configOptions, isMode, modeState } from './session/options.ts'
import { cancelPrompt, prompt } from './session/prompt.ts'
import { Refused } from './session/refused.ts'
import {
  createSessions,
  type OpenSessions,
  replay,
  type SessionPreset,
} from './session/sessions.ts'

export interface AgentParts {
  readonly sdk: AcpSdk
  readonly connection: Connection
  readonly config: Config
  readonly preset: SessionPreset
}

const CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { embeddedContext: true, image: true, audio: false },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
  auth: { logout: {} },
}

const SETTINGS_METHOD = 'settings'
const AUTH_METHODS: AuthMethod[] = [
  {
    id: SETTINGS_METHOD,
    name: 'The model set on this machine',
    description:
      'Uses the model of "filewright models set", FILEWRIGHT_MODEL, or a model server on this machine. Keys stay there.',
  },
]

export interface EditorAgent {
  readonly app: AgentApp
  /** The editor is gone. */
  end(): Promise<void>
}

/** Our agent for one editor. */
export function createAgent({ sdk, connection, config, preset }: AgentParts): EditorAgent {
  let capabilities: ClientCapabilities = {}
  let isLoggedOut = false
  let sessions: OpenSessions | undefined
  const app = sdk.agent({ name: 'filewright' })

  /** The client of one connection is the same in every request. */
  function editorOf(client: AttachedEditor['client']): AttachedEditor {
    return {
      connection,
      config,
      client,
      get capabilities() {
        return capabilities
      },
    }
  }
  const withSessions = (client: AttachedEditor['client']) => {
    const editor = editorOf(client)
    sessions ??= createSessions(editor, preset)
    return { editor, sessions }
  }
  const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (isLoggedOut) throw sdk.RequestError.authRequired()
    return orError(sdk, work)
  }

  app.onRequest('initialize', ({ params }) => {
    capabilities = params.clientCapabilities ?? {}
    return {
      protocolVersion: sdk.PROTOCOL_VERSION,
      agentInfo: { name: 'filewright', title: 'Filewright', version },
      agentCapabilities: CAPABILITIES,
      authMethods: AUTH_METHODS,
    }
  })
  app.onRequest('authenticate', ({ params: { methodId } }) =>
    orError(sdk, async () => {
      if (methodId !== SETTINGS_METHOD)
        throw sdk.RequestError.invalidParams({ methodId }, `There is no method "${methodId}".`)
      isLoggedOut = false
      return {}
    }),
  )
  app.onRequest('logout', async () => {
    isLoggedOut = true
    await sessions?.end()
    return {}
  })
  addSessions({ app, withSessions, guarded })
  addTurns({ app, sdk, withSessions, guarded })
  return { app, end: async () => sessions?.end() }
}

interface Handling {
  readonly app: AgentApp
  readonly withSessions: (client: AttachedEditor['client']) => {
    readonly editor: AttachedEditor
    readonly sessions: OpenSessions
  }
  readonly guarded: <Value>(work: () => Promise<Value>) => Promise<Value>
}

function addSessions({ app, withSessions, guarded }: Handling): void {
  const told = async (editor: AttachedEditor, session: OpenSession) => {
    // after the answer, which gives the editor the session it is about
    setImmediate(() => void tellCommands(editor, session.sessionId).catch(() => {})) // it is gone
    return {
      modes: modeState(session),
      configOptions: await configOptions(editor, session),
    }
  }
  app.onRequest('session/new', ({ params, client }) =>
    guarded(async () => {
      const { editor, sessions } = withSessions(client)
      const session = await sessions.begin(params)
      return { sessionId: session.sessionId, ...(await told(editor, session)) }
    }),
  )
  app.onRequest('session/load', ({ params, client }) =>
    guarded(async () => {
      const { editor, sessions } = withSessions(client)
      const session = await sessions.open(params.sessionId, params)
      await replay(editor, session)
      return told(editor, session)
    }),
  )
  app.onRequest('session/resume', ({ params, client }) =>
    guarded(async () => {
      const { editor, sessions } = withSessions(client)
      return told(editor, await sessions.open(params.sessionId, params))
    }),
  )
  app.onRequest('session/list', ({ params, client }) =>
    guarded(async () => ({
      sessions: await withSessions(client).sessions.list(params.cwd ?? undefined),
    })),
  )
  app.onRequest('session/close', ({ params, client }) =>
    guarded(async () => {
      await withSessions(client).sessions.close(params.sessionId)
      return {}
    }),
  )
  app.onRequest('session/delete', ({ params, client }) =>
    guarded(async () => {
      await withSessions(client).sessions.delete(params.sessionId)
      return {}
    }),
  )
}

function addTurns({ app, sdk, withSessions, guarded }: Handling & { readonly sdk: AcpSdk }): void {
  app.onRequest('session/prompt', ({ params, client, signal }) =>
    guarded(async () => {
      const { editor, sessions } = withSessions(client)
      const session = sessions.find(params.sessionId)
      signal.addEventListener('abort', () => void cancelPrompt(session), { once: true })
      return { stopReason: await prompt(editor, session, params.prompt) }
    }),
  )
  app.onNotification('session/cancel', async ({ params, client }) => {
    const session = withSessions(client).sessions.findOpen(params.sessionId)
    if (session) await cancelPrompt(session)
  })
  app.onRequest('session/set_mode', ({ params: { sessionId, modeId }, client }) =>
    guarded(async () => {
      const { editor, sessions } = withSessions(client)
      const session = sessions.find(sessionId)
      if (!isMode(modeId))
        throw sdk.RequestError.invalidParams({ modeId }, `There is no mode "${modeId}".`)
      session.mode = modeId
      await sendUpdate(editor, sessionId, {
        sessionUpdate: 'config_option_update',
        configOptions: await configOptions(editor, session),
      })
      return {}
    }),
  )
  app.onRequest('session/set_config_option', ({ params, client }) =>
    guarded(async () => {
      const { sessionId, configId, value } = params
      const { editor, sessions } = withSessions(client)
      const session = sessions.find(sessionId)
      const before = session.mode
      if (!choose(session, configId, value))
        throw sdk.RequestError.invalidParams(
          { configId, value },
          `"${configId}" has no value ${JSON.stringify(value)}.`,
        )
      if (session.mode !== before)
        await sendUpdate(editor, sessionId, {
          sessionUpdate: 'current_mode_update',
          currentModeId: session.mode,
        })
      return { configOptions: await configOptions(editor, session) }
    }),
  )
}

/** An expected failure is an error with its code; anything else is a bug, whose cause stays here. */
async function orError<Value>(sdk: AcpSdk, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, kind, message } = error.failure
    const data = { errorCode: code, kind }
    if (kind === 'invalid') throw sdk.RequestError.invalidParams(data, message)
    throw new sdk.RequestError(kind === 'missing' ? -32002 : -32603, message, data)
  }
}
