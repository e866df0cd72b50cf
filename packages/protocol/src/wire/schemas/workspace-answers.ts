import { z } from 'zod'
import { KINDS } from '../../words/result.ts'
import { RIGHTS } from '../../words/rights.ts'
import { gridSchema } from './grid-answer.ts'
import { words } from './words.ts'

/** The server itself, its workspaces, and the files and bytes of one. */
export function workspaceAnswers() {
  const { text, optional, count, sha256 } = words()
  const workspace = z.looseObject({
    workspaceId: text,
    name: text,
    place: optional,
    created: text,
    isHosted: z.literal(true).optional(),
  })
  const attachable = workspace.extend({ isAttached: z.boolean() })
  const version = versionSchema()
  return {
    health: z.looseObject({ status: z.literal('ok'), version: text }),
    openapi: openApiSchema(),
    tools: z.array(toolSchema()),
    models: modelSettingsSchema(),
    setModel: modelSettingsSchema(),
    tryModel: z.looseObject({
      model: text,
      answers: z.boolean(),
      message: text,
      milliseconds: z.number(),
    }),
    openFolder: z.looseObject({ workspaceId: text, name: text }),
    listTokens: z.looseObject({ tokens: z.array(tokenSchema()) }),
    createToken: tokenSchema().extend({ token: text }),
    revokeToken: tokenSchema(),
    listDecisions: z.looseObject({
      decisions: z.array(decisionSchema()),
      next: count.optional(),
    }),
    listWorkspaces: z.looseObject({ workspaces: z.array(attachable), opensFolders: z.boolean() }),
    createWorkspace: z.looseObject({ workspaceId: text, name: text }),
    renameWorkspace: attachable,
    deleteWorkspace: z.null(),
    attachWorkspace: workspace,
    getWorkspace: attachable,
    listFiles: filePageSchema(),
    grid: gridSchema(),
    listInstructions: z.looseObject({ files: z.array(instructionSchema()) }),
    linkAnswers: z.null(),
    linkEvents: z.null(),
    putBlob: z.union([
      z.looseObject({ sha256, sizeBytes: count }),
      z.looseObject({ offset: count }),
    ]),
    moveHeads: z.array(version),
    history: z.looseObject({ items: z.array(version), next: optional }),
  }
}

function decisionSchema() {
  const { text, optional, count } = words()
  return z.looseObject({
    position: count,
    time: text,
    tokenId: text,
    name: text,
    workspaceId: optional,
    action: text,
    target: optional,
    details: z.record(text, z.unknown()),
    outcome: optional,
    result: optional,
  })
}

export function tokenSchema() {
  const { text, texts, optional } = words()
  const most = z.number().optional()
  const used = z.looseObject({
    modelTokens: z.number(),
    dollars: z.number(),
    storageBytes: z.number(),
  })
  return z.looseObject({
    tokenId: text,
    name: text,
    rights: z.array(z.enum(RIGHTS)),
    workspaces: z.union([z.literal('all'), texts]),
    isAgent: z.boolean(),
    created: text,
    createdBy: text,
    expires: optional,
    revoked: optional,
    lastUsed: optional,
    limits: z
      .looseObject({
        requestsPerMinute: most,
        runs: most,
        modelTokens: most,
        dollars: most,
        storageBytes: most,
      })
      .optional(),
    used: used.optional(),
  })
}

export function modelSettingsSchema() {
  const { text, texts, optional, count } = words()
  return z.looseObject({
    canSet: z.boolean(),
    current: z.looseObject({
      name: optional,
      problem: optional,
      address: text.nullable().optional(),
      isDemonstration: z.boolean(),
      contextTokens: count.optional(),
    }),
    providers: z.array(
      z.looseObject({
        id: text,
        title: text,
        needsKey: z.boolean(),
        hasKey: z.boolean(),
        models: texts,
      }),
    ),
    endpoint: z.looseObject({ baseUrl: optional, hasKey: z.boolean() }),
    found: z.array(z.looseObject({ name: text, where: text })),
  })
}

function instructionSchema() {
  const { text, count, sha256 } = words()
  return z.looseObject({
    path: text,
    docPath: text,
    sha256,
    sizeBytes: count,
    text,
    isAllowed: z.boolean(),
  })
}

function openApiSchema() {
  const { text } = words()
  return z.looseObject({
    openapi: text,
    info: z.record(text, z.unknown()),
    servers: z.array(z.unknown()),
    security: z.array(z.unknown()),
    components: z.record(text, z.unknown()),
    paths: z.record(text, z.unknown()),
  })
}

export function toolSchema() {
  const { text, texts } = words()
  const jsonSchema = z.record(text, z.unknown())
  return z.looseObject({
    name: text,
    aliases: texts,
    label: text,
    summary: text,
    guidance: text,
    executionLocation: z.enum(['server', 'client']),
    toolsets: z.array(z.enum(['workspace', 'workshop'])),
    writes: z.enum(['nothing', 'draft', 'workspace']),
    failures: z.record(text, z.enum(KINDS)),
    input: jsonSchema,
    output: jsonSchema,
  })
}

function filePageSchema() {
  const { text, count, place } = words()
  const file = z.looseObject({
    ...place,
    sizeBytes: count,
    modified: text,
    version: text.nullable(),
    folded: z.looseObject({ files: count }).optional(),
    isPrivate: z.boolean().optional(),
    conflict: z.boolean().optional(),
  })
  const unusable = z.looseObject({ path: text, reason: text })
  return z.looseObject({
    files: z.array(file),
    total: count,
    next: text.nullable(),
    leftOut: z.looseObject({ total: count, first: z.array(unusable) }).optional(),
  })
}

export function versionSchema() {
  const { text, optional, count, sha256, place } = words()
  return z.looseObject({
    ...place,
    sha256: sha256.nullable(),
    sizeBytes: count,
    time: text,
    origin: z.looseObject({
      kind: z.enum(['read-through', 'upload', 'buffer', 'change-set']),
      changeSetId: optional,
    }),
  })
}
