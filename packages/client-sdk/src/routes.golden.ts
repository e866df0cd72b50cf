// Written by scripts/generate.mjs from the table of routes.

export const ROUTES = {
  health: { route: "GET /api/health", answers: 'json' },
  openapi: { route: "GET /api/openapi.json", answers: 'json' },
  tools: { route: "GET /api/tools", answers: 'json' },
  models: { route: "GET /api/models", answers: 'json' },
  setModel: { route: "POST /api/models", answers: 'json' },
  tryModel: { route: "POST /api/models/try", answers: 'json' },
  openFolder: { route: "POST /api/folders", answers: 'json' },
  listTokens: { route: "GET /api/tokens", answers: 'json', query: ["all"] },
  createToken: { route: "POST /api/tokens", answers: 'json' },
  revokeToken: { route: "DELETE /api/tokens/{tokenId}", answers: 'json' },
  listDecisions: { route: "GET /api/decisions", answers: 'json', query: ["before","limit","workspace"] },
  listWorkspaces: { route: "GET /api/workspaces", answers: 'json' },
  createWorkspace: { route: "POST /api/workspaces/new", answers: 'json' },
  getWorkspace: { route: "GET /api/workspaces/{workspaceId}", answers: 'json' },
  renameWorkspace: { route: "PUT /api/workspaces/{workspaceId}", answers: 'json' },
  deleteWorkspace: { route: "DELETE /api/workspaces/{workspaceId}", answers: 'json' },
  listFiles: { route: "GET /api/workspaces/{workspaceId}/files", answers: 'json', query: ["after","limit","named"] },
  getContent: { route: "GET /api/workspaces/{workspaceId}/content", answers: 'bytes', query: ["path","draftId"] },
  putContent: { route: "PUT /api/workspaces/{workspaceId}/content", answers: 'json', query: ["path","replace"], takes: 'bytes' },
  grid: { route: "GET /api/workspaces/{workspaceId}/grid", answers: 'json', query: ["path","sheet","range","draftId"] },
  workspaceEvents: { route: "GET /api/workspaces/{workspaceId}/events", answers: 'events' },
  getBlob: { route: "GET /api/workspaces/{workspaceId}/blobs/{sha256}", answers: 'bytes' },
  history: { route: "GET /api/workspaces/{workspaceId}/history", answers: 'json', query: ["path","before"] },
  listInstructions: { route: "GET /api/workspaces/{workspaceId}/instructions", answers: 'json', query: ["nested"] },
  listSessions: { route: "GET /api/workspaces/{workspaceId}/sessions", answers: 'json' },
  createSession: { route: "POST /api/workspaces/{workspaceId}/sessions", answers: 'json' },
  listDrafts: { route: "GET /api/workspaces/{workspaceId}/drafts", answers: 'json', query: ["state"] },
  review: { route: "GET /api/workspaces/{workspaceId}/review", answers: 'json', query: ["draftId"] },
  publish: { route: "POST /api/workspaces/{workspaceId}/publish", answers: 'json' },
  resolve: { route: "POST /api/workspaces/{workspaceId}/resolve", answers: 'json' },
  discard: { route: "POST /api/workspaces/{workspaceId}/discard", answers: 'json' },
  undo: { route: "POST /api/workspaces/{workspaceId}/undo", answers: 'json' },
  redo: { route: "POST /api/workspaces/{workspaceId}/redo", answers: 'json' },
  restore: { route: "POST /api/workspaces/{workspaceId}/restore", answers: 'json' },
  listChangeSets: { route: "GET /api/workspaces/{workspaceId}/change-sets", answers: 'json' },
  listApprovals: { route: "GET /api/workspaces/{workspaceId}/approvals", answers: 'json', query: ["all"] },
  decide: { route: "POST /api/workspaces/{workspaceId}/approvals/{approvalId}", answers: 'json' },
  listQuestions: { route: "GET /api/workspaces/{workspaceId}/questions", answers: 'json' },
  answerQuestion: { route: "POST /api/workspaces/{workspaceId}/questions/{questionId}", answers: 'json' },
  askForYes: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/asks", answers: 'json' },
  listRules: { route: "GET /api/workspaces/{workspaceId}/rules", answers: 'json' },
  addRule: { route: "POST /api/workspaces/{workspaceId}/rules", answers: 'json' },
  removeRule: { route: "DELETE /api/workspaces/{workspaceId}/rules/{ruleId}", answers: 'json' },
  getSession: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}", answers: 'json' },
  updateSession: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}", answers: 'json' },
  deleteSession: { route: "DELETE /api/workspaces/{workspaceId}/sessions/{sessionId}", answers: 'json', query: ["discard"] },
  callTool: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/calls", answers: 'json' },
  callAsModel: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/model-calls", answers: 'json' },
  getCall: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/calls/{toolCallId}", answers: 'json' },
  cancelCall: { route: "DELETE /api/workspaces/{workspaceId}/sessions/{sessionId}/calls/{toolCallId}", answers: 'json' },
  sendMessage: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/messages", answers: 'json' },
  cancel: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/cancel", answers: 'json' },
  resume: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/resume", answers: 'json' },
  rewind: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/rewind", answers: 'json' },
  listQueue: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/queue", answers: 'json' },
  takeBack: { route: "DELETE /api/workspaces/{workspaceId}/sessions/{sessionId}/queue/{messageId}", answers: 'json' },
  clear: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/clear", answers: 'json' },
  events: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/events", answers: 'events', query: ["after"] },
  log: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/log", answers: 'json', query: ["after","limit"] },
  getTurn: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/turns/{turnId}", answers: 'json' },
  listActiveFiles: { route: "GET /api/workspaces/{workspaceId}/sessions/{sessionId}/active-files", answers: 'json' },
  addActiveFile: { route: "POST /api/workspaces/{workspaceId}/sessions/{sessionId}/active-files", answers: 'json' },
  removeActiveFile: { route: "DELETE /api/workspaces/{workspaceId}/sessions/{sessionId}/active-files", answers: 'json', query: ["path"] },
} as const

export interface RouteTypes {
  /** Whether the server is up, and its version. */
  health: { given: {}; answer: {
    status: "ok"
    version: string
  } }
  /** This description. */
  openapi: { given: {}; answer: {
    openapi: string
    info: Record<string, unknown>
    servers: Array<unknown>
    security: Array<unknown>
    components: Record<string, unknown>
    paths: Record<string, unknown>
  } }
  /** The tool catalog. */
  tools: { given: {}; answer: Array<Tool> }
  /** The models that can be used, and which settings they lack; a key is never in the answer. */
  models: { given: {}; answer: ModelSettings }
  /** Set the model for runs, or the address and the key of a provider; a new host loses the key of the old one. */
  setModel: { given: {
    model?: string | undefined
    provider?: string | undefined
    baseUrl?: string | undefined
    apiKey?: string | undefined
  }; answer: ModelSettings }
  /** Ask a model for one word, to see whether it answers. */
  tryModel: { given: {
    model?: string | undefined
  }; answer: {
    model: string
    answers: boolean
    message: string
    milliseconds: number
  } }
  /** Open a folder of this machine by its path, or a new one in the state folder; only on loopback, and not with a shared store. */
  openFolder: { given: {
    path?: string | undefined
  }; answer: {
    workspaceId: string
    name: string
  } }
  /** The tokens within the reach of this one, with their last use; never a token itself. */
  listTokens: { given: {
    all?: "true" | "false" | undefined
  }; answer: {
    tokens: Array<AccessToken>
  } }
  /** A new token, for some workspaces and rights: the answer alone ever has it. */
  createToken: { given: {
    name: string
    rights: Array<"read" | "edit" | "approve" | "admin">
    workspaces: "all" | Array<string>
    isAgent?: boolean | undefined
    expires?: string | undefined
    limits?: {
      requestsPerMinute?: number | undefined
      runs?: number | undefined
      modelTokens?: number | undefined
      dollars?: number | undefined
      storageBytes?: number | undefined
    } | undefined
  }; answer: {
    tokenId: string
    name: string
    rights: Array<"read" | "edit" | "approve" | "admin">
    workspaces: "all" | Array<string>
    isAgent: boolean
    created: string
    createdBy: string
    expires?: string | undefined
    revoked?: string | undefined
    lastUsed?: string | undefined
    limits?: {
      requestsPerMinute?: number | undefined
      runs?: number | undefined
      modelTokens?: number | undefined
      dollars?: number | undefined
      storageBytes?: number | undefined
    } | undefined
    used?: {
      modelTokens: number
      dollars: number
      storageBytes: number
    } | undefined
    token: string
  } }
  /** End a token at once, on every instance. */
  revokeToken: { given: {
    tokenId: string
  }; answer: AccessToken }
  /** Who approved, published, took back, made a rule or a token: newest first, within the reach of this token. */
  listDecisions: { given: {
    before?: number | undefined
    limit?: number | undefined
    workspace?: string | undefined
  }; answer: {
    decisions: Array<{
      position: number
      time: string
      tokenId: string
      name: string
      workspaceId?: string | undefined
      action: string
      target?: string | undefined
      details: Record<string, unknown>
      outcome?: string | undefined
      result?: string | undefined
    }>
    next?: number | undefined
  } }
  /** The workspaces of this server. */
  listWorkspaces: { given: {}; answer: {
    workspaces: Array<{
      workspaceId: string
      name: string
      place?: string | undefined
      created: string
      isHosted?: true | undefined
      isAttached: boolean
    }>
    opensFolders: boolean
  } }
  /** A new, empty workspace: in the shared store where there is one, else a new folder in the state folder. */
  createWorkspace: { given: {
    name?: string | undefined
  }; answer: {
    workspaceId: string
    name: string
  } }
  /** One workspace. */
  getWorkspace: { given: {
    workspaceId: string
  }; answer: {
    workspaceId: string
    name: string
    place?: string | undefined
    created: string
    isHosted?: true | undefined
    isAttached: boolean
  } }
  /** Rename a workspace whose files are in the store. */
  renameWorkspace: { given: {
    workspaceId: string
    name: string
  }; answer: {
    workspaceId: string
    name: string
    place?: string | undefined
    created: string
    isHosted?: true | undefined
    isAttached: boolean
  } }
  /** Delete a workspace whose files are in the store, with its files, their history and its sessions. */
  deleteWorkspace: { given: {
    workspaceId: string
  }; answer: null }
  /** Files of the workspace, paged. */
  listFiles: { given: {
    workspaceId: string
    after?: string | undefined
    limit?: number | undefined
    named?: string | undefined
  }; answer: {
    files: Array<{
      docPath: string
      path: string
      sizeBytes: number
      modified: string
      version: unknown
      folded?: {
        files: number
      } | undefined
      isPrivate?: boolean | undefined
      conflict?: boolean | undefined
    }>
    total: number
    next: unknown
    leftOut?: {
      total: number
      first: Array<{
        path: string
        reason: string
      }>
    } | undefined
  } }
  /** A file's bytes as they are on disk, or with `draftId` as that draft has them. */
  getContent: { given: {
    workspaceId: string
    path: string
    draftId?: string | undefined
  }; answer: Uint8Array }
  /** Write a file of the person into the workspace, as a change set that can be undone; one that exists only with `replace`. */
  putContent: { given: {
    workspaceId: string
    path: string
    replace?: "true" | "false" | undefined
  } & { bytes: Uint8Array | ArrayBuffer | Blob }; answer: Applied }
  /** What a page needs to draw a region of a spreadsheet, as it is on disk or in a draft. */
  grid: { given: {
    workspaceId: string
    path: string
    sheet?: string | undefined
    range?: string | undefined
    draftId?: string | undefined
  }; answer: {
    sheet: string
    sheets: Array<{
      name: string
      visibility: string
    }>
    box: {
      top: number
      left: number
      bottom: number
      right: number
    }
    used: {
      top: number
      left: number
      bottom: number
      right: number
    } | null
    columns: Array<{
      from: number
      to: number
      size: number
      hidden?: true | undefined
      level?: number | undefined
    }>
    rows: Array<{
      from: number
      to: number
      size: number
      hidden?: true | undefined
      level?: number | undefined
    }>
    defaults: {
      width: number
      height: number
    }
    frozen: {
      rows: number
      columns: number
    } | null
    gridLines: boolean
    rightToLeft: boolean
    merges: Array<{
      top: number
      left: number
      bottom: number
      right: number
    }>
    looks: Array<{
      font?: string | undefined
      size?: number | undefined
      bold?: boolean | undefined
      italic?: boolean | undefined
      strike?: boolean | undefined
      underline?: "single" | "double" | undefined
      script?: "superscript" | "subscript" | undefined
      color?: string | undefined
      fill?: string | undefined
      pattern?: {
        name: string
        back: string
      } | undefined
      border?: Record<string, {
        style: string
        color: string
      }> | undefined
      align?: string | undefined
      valign?: string | undefined
      wrap?: boolean | undefined
      shrink?: boolean | undefined
      indent?: number | undefined
      rotate?: number | "stacked" | undefined
    }>
    cells: Array<{
      row: number
      column: number
      text: string
      type: "number" | "date" | "text" | "boolean" | "error" | "empty"
      look?: number | undefined
      formula?: string | undefined
      isStale?: true | undefined
      over?: {
        font?: string | undefined
        size?: number | undefined
        bold?: boolean | undefined
        italic?: boolean | undefined
        strike?: boolean | undefined
        underline?: "single" | "double" | undefined
        script?: "superscript" | "subscript" | undefined
        color?: string | undefined
        fill?: string | undefined
        pattern?: {
          name: string
          back: string
        } | undefined
        border?: Record<string, {
          style: string
          color: string
        }> | undefined
        align?: string | undefined
        valign?: string | undefined
        wrap?: boolean | undefined
        shrink?: boolean | undefined
        indent?: number | undefined
        rotate?: number | "stacked" | undefined
      } | undefined
      bar?: {
        color: string
        from: number
        to: number
      } | undefined
      icon?: {
        set: string
        index: number
        of: number
      } | undefined
      hidesText?: true | undefined
    }>
    undrawn: Array<string>
  } }
  /** Changes to files of the workspace, as the client reports them. */
  workspaceEvents: { given: {
    workspaceId: string
  }; answer: WorkspaceEvent }
  /** Bytes by hash: those that a file has or had which may be read now, and pictures. */
  getBlob: { given: {
    workspaceId: string
    sha256: string
  }; answer: Uint8Array }
  /** The versions of a file, newest first. */
  history: { given: {
    workspaceId: string
    path: string
    before?: string | undefined
  }; answer: {
    items: Array<FileVersion>
    next?: string | undefined
  } }
  /** What the folder tells agents (AGENTS.md and the like), and whether a person allowed it; with `nested` the folders below too. */
  listInstructions: { given: {
    workspaceId: string
    nested?: "true" | "false" | undefined
  }; answer: {
    files: Array<{
      path: string
      docPath: string
      sha256: string
      sizeBytes: number
      text: string
      isAllowed: boolean
    }>
  } }
  /** Sessions of the workspace. */
  listSessions: { given: {
    workspaceId: string
  }; answer: {
    sessions: Array<Session>
  } }
  /** A new session, or the existing one. */
  createSession: { given: {
    workspaceId: string
    title?: string | undefined
    standing?: boolean | undefined
  }; answer: Session }
  /** Drafts, open and closed. */
  listDrafts: { given: {
    workspaceId: string
    state?: "open" | undefined
  }; answer: Array<Draft> }
  /** The changes of a draft. */
  review: { given: {
    workspaceId: string
    draftId?: string | undefined
  }; answer: {
    draft: Draft
    changes: Array<Change>
    diffs: Array<{
      path: string
      diff: string
    }>
    warnings: Array<string>
    conflicts?: Array<Conflict> | undefined
    executed?: Array<{
      docPath: string
      path: string
      why: string
      changeIds: Array<string>
    }> | undefined
  } }
  /** Apply the accepted changes of a draft, all or none. */
  publish: { given: {
    workspaceId: string
    draftId?: string | undefined
    only?: Array<string> | undefined
    refused?: Array<string> | undefined
    comments?: Array<string> | undefined
    revision?: number | undefined
    unasked?: true | undefined
    by?: string | undefined
  }; answer: Published }
  /** Decide changes of a draft that meet what somebody else saved. */
  resolve: { given: {
    workspaceId: string
    draftId?: string | undefined
    changeIds: Array<string>
    side: "ours" | "theirs"
    by?: string | undefined
  }; answer: {
    draft: Draft
    dropped: Array<string>
    conflicts: Array<Conflict>
    message: string
  } }
  /** Discard a draft. */
  discard: { given: {
    workspaceId: string
    draftId?: string | undefined
    by?: string | undefined
  }; answer: Draft }
  /** Undo an applied change set. */
  undo: { given: {
    workspaceId: string
    changeSetId?: string | undefined
    draftId?: string | undefined
    named?: Array<string> | undefined
  }; answer: Applied }
  /** Undo the undo. */
  redo: { given: {
    workspaceId: string
    changeSetId?: string | undefined
    draftId?: string | undefined
    named?: Array<string> | undefined
  }; answer: Applied }
  /** Bring back bytes that another program wrote into a replaced file. */
  restore: { given: {
    workspaceId: string
    id: string
    named?: Array<string> | undefined
  }; answer: Applied }
  /** What was written, newest first, and whether it can be undone or redone. */
  listChangeSets: { given: {
    workspaceId: string
  }; answer: {
    changeSets: Array<ChangeSet>
  } }
  /** Changes that wait for a person. */
  listApprovals: { given: {
    workspaceId: string
    all?: "true" | "false" | undefined
  }; answer: Array<Approval> }
  /** Answer an approval. */
  decide: { given: {
    workspaceId: string
    approvalId: string
    decision: "approved" | "denied"
    by?: string | undefined
    reason?: string | undefined
    refused?: Array<{
      changeId: string
      reason?: string | undefined
    }> | undefined
    remember?: "session" | "always" | undefined
    unasked?: true | undefined
  }; answer: {
    approval: Approval
    outcome: {
      outcome: {
        envelope: Envelope
        text: string
        effects?: Array<Effect> | undefined
      }
    } | {
      pending: Pending
    }
  } }
  /** Questions of models that wait for a person. */
  listQuestions: { given: {
    workspaceId: string
  }; answer: Array<Question> }
  /** Answer a question: one of its choices, its number, or other words; one that decides something takes the right to approve, and is not answered by who asked it or worked in its session. */
  answerQuestion: { given: {
    workspaceId: string
    questionId: string
    answer: string
    by?: string | undefined
  }; answer: {
    question: Question
    answer: string
  } }
  /** Ask a person for a yes to what an agent wants to do, or hear what they answered; the same token with the same words asks the same question. */
  askForYes: { given: {
    workspaceId: string
    sessionId: string
    deed: "publish" | "discard" | "undo" | "redo"
    subject: string
    question: string
    choices: Array<string>
  }; answer: {
    questionId: string
    answer: {
      isYes: boolean
      by: string
      words?: string | undefined
    } | null
  } }
  /** The rules of the gate. */
  listRules: { given: {
    workspaceId: string
  }; answer: Array<Rule> }
  /** A new rule. */
  addRule: { given: {
    workspaceId: string
    effect: "read" | "write" | "deny" | "ask" | "scan" | "instructions" | "call" | "allow"
    tool?: string | undefined
    path?: string | undefined
    maxBytes?: number | undefined
    sessionId?: string | undefined
    sha256?: string | undefined
  }; answer: Rule }
  /** Revoke a rule. */
  removeRule: { given: {
    workspaceId: string
    ruleId: string
  }; answer: null }
  /** One session. */
  getSession: { given: {
    workspaceId: string
    sessionId: string
  }; answer: {
    sessionId: string
    workspaceId: string
    kind: "work" | "standing"
    title: string
    conversationId: string
    state: "idle" | "running" | "waiting"
    created: string
    updated: string
    isPinned?: boolean | undefined
    isArchived?: boolean | undefined
    stopped?: "limit" | "cancelled" | "failed" | undefined
  } }
  /** Rename a session, pin it or put it away. */
  updateSession: { given: {
    workspaceId: string
    sessionId: string
    title?: string | undefined
    isPinned?: boolean | undefined
    isArchived?: boolean | undefined
  }; answer: Session }
  /** Delete a session and its log, of those that the token made, or with the right to admin of any; one with an open draft only with `discard`, which discards the draft too. */
  deleteSession: { given: {
    workspaceId: string
    sessionId: string
    discard?: "true" | "false" | undefined
  }; answer: {
    rows: number
    blobs: number
  } }
  /** One tool call: its envelope, or pending; a tool that writes needs the right to edit. */
  callTool: { given: {
    workspaceId: string
    sessionId: string
    tool: string
    arguments: unknown
    toolCallId?: string | undefined
    approve?: "ask" | "rules" | "all" | undefined
  }; answer: Envelope | Pending }
  /** One tool call of another product's model: its result as our models see it, or pending; a tool that writes needs the right to edit. */
  callAsModel: { given: {
    workspaceId: string
    sessionId: string
    tool: string
    arguments: unknown
    toolCallId?: string | undefined
    author?: string | undefined
  }; answer: {
    toolCallId: string
    success: boolean
    errorCode: unknown
    text: string
    images?: Array<{
      sha256: string
      mediaType: string
    }> | undefined
  } | Pending }
  /** The state of a call. */
  getCall: { given: {
    workspaceId: string
    sessionId: string
    toolCallId: string
  }; answer: Envelope | Pending }
  /** Give up a call under way: unless its effect is there already, it has none. */
  cancelCall: { given: {
    workspaceId: string
    sessionId: string
    toolCallId: string
  }; answer: null }
  /** A message from the person: starts a run, or steers the current one. */
  sendMessage: { given: {
    workspaceId: string
    sessionId: string
    text: string
    images?: Array<{
      sha256: string
      mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp"
    }> | undefined
    model?: string | undefined
    toolset?: "workshop" | "workspace" | undefined
    approve?: "ask" | "rules" | "all" | undefined
    plan?: boolean | undefined
    light?: boolean | undefined
    effort?: string | undefined
    budget?: {
      tokens?: number | undefined
      dollars?: number | undefined
      seconds?: number | undefined
    } | undefined
    maxTurns?: number | undefined
  }; answer: {
    sessionId: string
    runId: unknown
    model: string
    steered: boolean
    messageId?: string | undefined
    notice?: string | undefined
  } }
  /** Stop the run at the next tool border. */
  cancel: { given: {
    workspaceId: string
    sessionId: string
    by?: string | undefined
  }; answer: null }
  /** The next step of a stopped run; with `goOn` also of one that ended at a limit, by a cancel or with a failure. */
  resume: { given: {
    workspaceId: string
    sessionId: string
    model?: string | undefined
    toolset?: "workshop" | "workspace" | undefined
    approve?: "ask" | "rules" | "all" | undefined
    plan?: boolean | undefined
    light?: boolean | undefined
    effort?: string | undefined
    budget?: {
      tokens?: number | undefined
      dollars?: number | undefined
      seconds?: number | undefined
    } | undefined
    maxTurns?: number | undefined
    goOn?: boolean | undefined
  }; answer: {
    sessionId: string
    resumed: boolean
  } }
  /** Go back to before a message (the row of a `user_message`): later rows leave the conversation, their unpublished changes leave the draft, and files that were written stay. */
  rewind: { given: {
    workspaceId: string
    sessionId: string
    seq: number
    by?: string | undefined
  }; answer: {
    seq: number
    withdrawn: Array<string>
    written: Array<string>
  } }
  /** Messages that wait for the run in progress. */
  listQueue: { given: {
    workspaceId: string
    sessionId: string
  }; answer: {
    messages: Array<QueuedMessage>
  } }
  /** Take back a message that waits. */
  takeBack: { given: {
    workspaceId: string
    sessionId: string
    messageId: string
  }; answer: QueuedMessage }
  /** A new conversation in the same session. */
  clear: { given: {
    workspaceId: string
    sessionId: string
  }; answer: {
    conversationId: string
  } }
  /** Rows from a cursor on, and text as it streams. */
  events: { given: {
    workspaceId: string
    sessionId: string
    after?: number | undefined
  }; answer: SessionEvent }
  /** Rows of the log, paged. */
  log: { given: {
    workspaceId: string
    sessionId: string
    after?: number | undefined
    limit?: number | undefined
  }; answer: {
    rows: Array<LogRow>
    last: number
  } }
  /** The envelope of a turn: its text and calls, final when it has none; isCut when the output limit of the model ended it; "last" is the newest. */
  getTurn: { given: {
    workspaceId: string
    sessionId: string
    turnId: string
  }; answer: {
    kind: "final" | "client_tool_continuation"
    sessionId: string
    conversationId: string
    turnId: string
    text?: string | undefined
    isCut?: true | undefined
    toolCalls: Array<{
      toolCallId: string
      name: string
      argumentsJson: string
    }>
  } }
  /** Files active in the session. */
  listActiveFiles: { given: {
    workspaceId: string
    sessionId: string
  }; answer: {
    files: Array<{
      docPath: string
      displayPath: string
      sizeBytes: number
      isDirty: boolean
      isActive: true
      sha256: string
      isInContext: boolean
    }>
  } }
  /** Make a file active, with its unsaved text if any; the log names it when it is sent to a model. */
  addActiveFile: { given: {
    workspaceId: string
    sessionId: string
    path: string
    buffer?: string | undefined
  }; answer: {
    docPath: string
    displayPath: string
    sizeBytes: number
    isDirty: boolean
    isActive: true
    sha256: string
    isInContext: boolean
  } }
  /** A file is no longer active. */
  removeActiveFile: { given: {
    workspaceId: string
    sessionId: string
    path: string
  }; answer: null }
}

export interface Failure {
  success: false
  errorCode: string
  kind: "invalid" | "missing" | "conflict" | "denied" | "limit" | "unsupported" | "unavailable" | "internal"
  message: string
  errors: Array<string>
  [field: string]: unknown
}

export type SessionEvent = {
  type: "row"
  cursor: number
  row: LogRow
  method?: string | undefined
  params?: Record<string, unknown> | undefined
} | {
  type: "text-delta" | "text-so-far"
  turnId: string
  text: string
  method?: string | undefined
  params?: Record<string, unknown> | undefined
} | {
  type: "thought-delta"
  turnId: string
  text: string
} | {
  type: "call-progress"
  toolCallId: string
  text: string
  method?: string | undefined
  params?: Record<string, unknown> | undefined
} | {
  type: "queue"
  messages: Array<QueuedMessage>
  method?: string | undefined
  params?: Record<string, unknown> | undefined
} | {
  type: "listeners"
  count: number
} | {
  type: "run-lost"
  kind: "unavailable" | "internal"
  message: string
}

export interface WorkspaceEvent {
  type: "files-changed"
  docPaths: Array<string>
  all?: boolean | undefined
}

export interface LogRow {
  sessionId: string
  seq: number
  conversationId: string
  type: string
  time: string
  body: UserMessageBody | AssistantMessageBody | ToolResultBody | SteerBody | RewindBody | ConversationStartBody | RunStartBody | ModelBody | CancelBody | LimitBody | NoticeBody | RetryBody | RunEndBody | CallStartBody | ApprovalBody | DecisionBody | PlanBody | QuestionBody | HelperBody | ContextBody | CompactionBody | UsageBody | DraftBody
}

export interface UserMessageBody {
  type: "user_message"
  message_id: string
  role: "user"
  text: string
  run_id: string
  images?: Array<{
    sha256: string
    mediaType: string
  }> | undefined
}

export interface AssistantMessageBody {
  type: "assistant_message"
  message_id: string
  role: "assistant"
  text: string
  turn_id: string
  reasoning?: string | undefined
  tool_calls?: Array<{
    id: string
    function: {
      name: string
      arguments: string
    }
  }> | undefined
  written?: true | undefined
  repair?: string | undefined
  finish_reason?: string | undefined
  provider?: unknown
}

export interface ToolResultBody {
  type: "tool_result"
  message_id: string
  tool_call_id: string
  content: string
  success: boolean
  error_code?: unknown
  full?: {
    sha256: string
    sizeBytes: number
  } | undefined
  synthetic?: boolean | undefined
  effects?: Array<Effect> | undefined
  images?: Array<{
    sha256: string
    mediaType: string
  }> | undefined
  resumes?: string | undefined
}

export interface SteerBody {
  type: "steer"
  text: string
  message_id?: string | undefined
  images?: Array<{
    sha256: string
    mediaType: string
  }> | undefined
  resumes?: string | undefined
}

export interface RewindBody {
  type: "rewind"
  to_seq: number
  by: string
  withdrawn: Array<string>
  written: Array<string>
}

export interface ConversationStartBody {
  type: "conversation-start"
  reason: "new" | "cleared"
}

export interface RunStartBody {
  type: "run-start"
  run_id: string
  model: string
  toolset: string
  limits?: Record<string, number> | undefined
  reads?: Array<string> | undefined
  plan?: boolean | undefined
  effort?: string | undefined
  goes_on?: string | undefined
  token_id?: string | undefined
}

export interface ModelBody {
  type: "model"
  model: string
  context_tokens?: number | undefined
  sees_images?: boolean | undefined
  calls_tools?: boolean | undefined
}

export interface CancelBody {
  type: "cancel"
  by: string
  resumes?: string | undefined
}

export interface LimitBody {
  type: "limit"
  what: string
  message: string
}

export interface NoticeBody {
  type: "notice"
  message: string
}

export interface RetryBody {
  type: "retry"
  turn_id: string
  attempt: number
  reason: string
  wait_ms: number
}

export interface RunEndBody {
  type: "run-end"
  run_id: string
  reason: "final" | "cancelled" | "limit" | "failed" | "waiting"
  closing: string
  message?: string | undefined
  written?: true | undefined
  usage?: {
    inputTokens: number
    outputTokens: number
    cachedTokens?: number | undefined
    cost?: number | undefined
    unknown?: boolean | undefined
  } | undefined
}

export interface CallStartBody {
  type: "call-start"
  tool_call_id: string
  turn_id: string
  name: string
  arguments: string
  label: string
  asks?: {
    deed: "publish" | "discard" | "undo" | "redo"
    subject: string
    token_id: string
  } | undefined
}

export interface ApprovalBody {
  type: "approval"
  tool_call_id: string
  approval_id: string
  pending: {
    pending: true
    approvalId: string
    toolCallId: string
    message: string
    question?: {
      text: string
      choices: Array<string>
    } | undefined
  }
}

export interface DecisionBody {
  type: "decision"
  approval_id: string
  decision: "approved" | "denied"
  by: string
  refused?: Array<{
    change_id: string
    reason?: string | undefined
  }> | undefined
  reason?: string | undefined
  resumes?: string | undefined
}

export interface PlanBody {
  type: "plan"
  tool_call_id: string
  steps: Array<{
    text: string
    status: "open" | "doing" | "done" | "failed"
    reason?: string | undefined
  }>
}

export interface QuestionBody {
  type: "question"
  tool_call_id: string
  question_id: string
  question: string
  choices: Array<string>
  definition?: string | undefined
  decides?: "publish" | "discard" | "undo" | "redo" | "call" | undefined
}

export interface HelperBody {
  type: "helper"
  tool_call_id: string
  line: {
    type: string
  }
}

export interface ContextBody {
  type: "context"
  turn_id: string
  layers: Array<{
    name: string
    sha256: string
    tokens: number
    version?: string | undefined
    files?: Array<string> | undefined
    text?: string | undefined
  }>
  tools?: Array<{
    name: string
    aliases?: Array<string> | undefined
  }> | undefined
  sent?: {
    model: string
    endpoint: unknown
    messages: number
    size_bytes: number
  } | undefined
}

export interface CompactionBody {
  type: "compaction"
  summary?: string | undefined
  up_to_seq: number
  words_tokens?: number | undefined
  tokens_before: number
  tokens_after?: number | undefined
  sent?: {
    model: string
    endpoint: unknown
    messages: number
    size_bytes: number
  } | undefined
}

export interface UsageBody {
  type: "usage"
  turn_id: string
  usage: {
    inputTokens: number
    outputTokens: number
    cachedTokens?: number | undefined
    cost?: number | undefined
    unknown?: boolean | undefined
  }
}

export interface DraftBody {
  type: "draft"
  draft_id: string
  action: "published" | "discarded" | "undone" | "redone"
  change_set_id?: string | undefined
  files: number
  paths: Array<string>
  refused?: number | undefined
  refused_places?: Array<string> | undefined
  undecided?: number | undefined
  comments?: Array<string> | undefined
}

export interface Session {
  sessionId: string
  workspaceId: string
  kind: "work" | "standing"
  title: string
  conversationId: string
  state: "idle" | "running" | "waiting"
  created: string
  updated: string
  isPinned?: boolean | undefined
  isArchived?: boolean | undefined
}

export interface QueuedMessage {
  messageId: string
  text: string
  time: string
}

export interface Envelope {
  success: boolean
  errorCode: unknown
  kind?: string | undefined
  message: string
  errors: Array<string>
  warnings: Array<string>
  sessionId: string
  conversationId: string
  turnId: string
  toolCallId: string
  [field: string]: unknown
}

export interface Pending {
  pending: true
  approvalId: string
  toolCallId: string
  message: string
  question?: {
    text: string
    choices: Array<string>
    definition?: string | undefined
    decides?: "publish" | "discard" | "undo" | "redo" | "call" | undefined
  } | undefined
}

export interface Effect {
  docPath: string
  path: string
  where: "draft" | "workspace"
  action: "created" | "changed" | "deleted" | "moved"
  count: number
  unit: string
  from?: string | undefined
  draftId?: string | undefined
  before?: unknown
  after?: unknown
}

export interface Approval {
  id: string
  toolCallId: string
  sessionId: string
  draftId: string
  tool: string
  label: string
  description?: string | undefined
  time: string
  state: "open" | "approved" | "denied" | "stale"
  needsPerson?: true | undefined
  executed?: Array<{
    docPath: string
    path: string
    why: string
    changeIds: Array<string>
  }> | undefined
  changes: Array<Change>
  warnings: Array<string>
  diffs: Array<{
    path: string
    diff: string
  }>
}

export interface Question {
  id: string
  sessionId: string
  toolCallId: string
  question: string
  choices: Array<string>
  definition?: string | undefined
  decides?: "publish" | "discard" | "undo" | "redo" | "call" | undefined
  subject?: string | undefined
  time: string
}

export interface Rule {
  id: string
  effect: "read" | "write" | "deny" | "ask" | "scan" | "instructions" | "call"
  tool?: string | undefined
  path?: string | undefined
  maxBytes?: number | undefined
  sessionId?: string | undefined
  sha256?: string | undefined
  time: string
}

export interface Draft {
  id: string
  sessionId: string
  state: "open" | "published" | "discarded" | "damaged"
  purpose: "workshop" | "one-call"
  trouble?: string | undefined
  label?: string | undefined
  opened: string
  touched: string
  revision: number
  files: Array<{
    docPath: string
    path: string
    action: "created" | "changed" | "deleted" | "moved"
    from?: string | undefined
    changes: number
    base: string | null
    drifted?: boolean | undefined
  }>
}

export interface Change {
  docPath: string
  path: string
  id: string
  kind: string
  place: string
  before: {
    text?: string | undefined
    lines?: Array<string> | undefined
    firstLine?: number | undefined
    lineCount?: number | undefined
    value?: unknown
    formula?: string | undefined
    format?: string | undefined
    path?: string | undefined
    sizeBytes?: number | undefined
  } | null
  after: {
    text?: string | undefined
    lines?: Array<string> | undefined
    firstLine?: number | undefined
    lineCount?: number | undefined
    value?: unknown
    formula?: string | undefined
    format?: string | undefined
    path?: string | undefined
    sizeBytes?: number | undefined
  } | null
  operation: {
    toolCallId: string
    index: number
    op: string
  }
  dependsOn: Array<string>
  description?: string | undefined
  labels?: {
    batchKey?: string | undefined
    fileKey?: string | undefined
    fileLabel?: string | undefined
    changeKey?: string | undefined
  } | undefined
  atomic?: boolean | undefined
}

export interface Conflict {
  docPath: string
  path: string
  changeId: string
  message: string
  isFile?: boolean | undefined
  choices: {
    theirs: string
    ours?: string | undefined
  }
}

export interface Published {
  draftId: string
  sessionId?: string | undefined
  changeSetId: string
  files: Array<{
    docPath: string
    path: string
    action: string
    version: unknown
  }>
  refused: Array<string>
  dropped: Array<string>
  refusedPlaces: Array<string>
  undecided: number
  executed?: Array<{
    docPath: string
    path: string
    why: string
    changeIds: Array<string>
  }> | undefined
  rebased: Array<string>
  warnings: Array<string>
  message: string
}

export interface Applied {
  changeSetId: string
  files: Array<{
    docPath: string
    path: string
    realPath?: string | undefined
    before: string | null
    after: string | null
    sizeBytes: number
    mode?: number | undefined
    uid?: number | undefined
    gid?: number | undefined
  }>
  warnings: Array<string>
  of?: {
    draftId: string
    sessionId: string
  } | undefined
}

export interface ChangeSet {
  changeSetId: string
  label?: string | undefined
  time: string
  files: Array<{
    docPath: string
    path: string
    before: string | null
    after: string | null
  }>
  isStanding: boolean
  undoes?: string | undefined
  draftId?: string | undefined
  sessionId?: string | undefined
  toolCallIds?: Array<string> | undefined
}

export interface FileVersion {
  docPath: string
  path: string
  sha256: string | null
  sizeBytes: number
  time: string
  origin: {
    kind: "read-through" | "upload" | "buffer" | "change-set"
    changeSetId?: string | undefined
  }
}

export interface Tool {
  name: string
  aliases: Array<string>
  label: string
  summary: string
  guidance: string
  executionLocation: "server" | "client"
  toolsets: Array<"workspace" | "workshop">
  writes: "nothing" | "draft" | "workspace"
  failures: Record<string, "invalid" | "missing" | "conflict" | "denied" | "limit" | "unsupported" | "unavailable" | "internal">
  input: Record<string, unknown>
  output: Record<string, unknown>
}

export interface ModelSettings {
  canSet: boolean
  current: {
    name?: string | undefined
    problem?: string | undefined
    address?: unknown
    isDemonstration: boolean
    contextTokens?: number | undefined
  }
  providers: Array<{
    id: string
    title: string
    needsKey: boolean
    hasKey: boolean
    models: Array<string>
  }>
  endpoint: {
    baseUrl?: string | undefined
    hasKey: boolean
  }
  found: Array<{
    name: string
    where: string
  }>
}

export interface AccessToken {
  tokenId: string
  name: string
  rights: Array<"read" | "edit" | "approve" | "admin">
  workspaces: "all" | Array<string>
  isAgent: boolean
  created: string
  createdBy: string
  expires?: string | undefined
  revoked?: string | undefined
  lastUsed?: string | undefined
  limits?: {
    requestsPerMinute?: number | undefined
    runs?: number | undefined
    modelTokens?: number | undefined
    dollars?: number | undefined
    storageBytes?: number | undefined
  } | undefined
  used?: {
    modelTokens: number
    dollars: number
    storageBytes: number
  } | undefined
}
