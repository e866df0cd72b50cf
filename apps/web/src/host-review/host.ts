/** The product that shows us in a frame, as the MCP Apps extension of 2026-01-26 says it speaks. */
export interface HostFrame {
  /** A tool of our server, called by the frame and not by the model. */
  callTool(name: string, given: object): Promise<ToolAnswer>
  /** What the model shall know at its next turn, where the host takes that. */
  tellModel(text: string): void
  resize(height: number): void
  /** The arguments of the call that we are shown for. */
  onCall(listen: (given: Readonly<Record<string, unknown>>) => void): void
  onTheme(listen: (theme: string) => void): void
  /** Says that we are there; the host then sends the call. */
  open(): Promise<void>
}

export interface ToolAnswer {
  readonly isError?: boolean
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
}

const VERSION = '2026-01-26'
const APP = { name: 'filewright-review', version: '1' }

interface Message {
  readonly jsonrpc?: string
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

export function connectHost(host: Window): HostFrame {
  const waiting = new Map<number, (message: Message) => void>()
  let lastId = 0
  let takesContext = false
  let given: Readonly<Record<string, unknown>> = {}
  let called: (given: Readonly<Record<string, unknown>>) => void = () => {}
  let themed: (theme: string) => void = () => {}

  // a host has an origin that we cannot know; what we say has no secret but the proof, which is good once
  const post = (message: object) => host.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(error.message ?? 'The host refused.')) : resolve(result),
      )
      post({ id, method, params })
    })

  window.addEventListener('message', ({ source, data }: MessageEvent<Message>) => {
    if (source !== host || data?.jsonrpc !== '2.0') return
    const { id, method, params = {} } = data
    if (method === undefined) {
      const answered = typeof id === 'number' ? waiting.get(id) : undefined
      if (typeof id === 'number') waiting.delete(id)
      return answered?.(data)
    }
    if (method === 'ui/notifications/tool-input')
      given = (params.arguments ?? {}) as Readonly<Record<string, unknown>>
    if (method === 'ui/notifications/tool-result') called(given)
    if (method === 'ui/notifications/host-context-changed') showTheme(params)
    if (id === undefined) return
    const known = method === 'ping' || method === 'ui/resource-teardown'
    post(
      known
        ? { id, result: {} }
        : { id, error: { code: -32601, message: `${method} is not known here.` } },
    )
  })

  function showTheme(context: Readonly<Record<string, unknown>> | undefined): void {
    if (typeof context?.theme === 'string') themed(context.theme)
  }

  return {
    callTool: async (name, args) =>
      (await ask('tools/call', { name, arguments: args })) as ToolAnswer,
    tellModel(text) {
      if (!takesContext) return
      ask('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {}) // it only tells
    },
    resize: height => post({ method: 'ui/notifications/size-changed', params: { height } }),
    onCall: listen => {
      called = listen
    },
    onTheme: listen => {
      themed = listen
    },
    async open() {
      const opened = (await ask('ui/initialize', {
        appInfo: APP,
        appCapabilities: {},
        protocolVersion: VERSION,
      })) as {
        readonly hostContext?: Readonly<Record<string, unknown>>
        readonly hostCapabilities?: { readonly updateModelContext?: object }
      }
      takesContext = opened.hostCapabilities?.updateModelContext !== undefined
      showTheme(opened.hostContext)
      post({ method: 'ui/notifications/initialized', params: {} })
    },
  }
}
