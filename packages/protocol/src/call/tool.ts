import type { z } from 'zod'
import type { ChangeLabels } from '../change/change.ts'
import type { AppliedFile } from '../change/change-set.ts'
import type { Operation } from '../change/operation.ts'
import type { Effect } from '../log/journal.ts'
import type { DocPath, RelativePath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'
import type { CommonCode, Kind, Result } from '../words/result.ts'

export const TOOLSETS = ['workspace', 'workshop'] as const
export type Toolset = (typeof TOOLSETS)[number]

export type ExecutionLocation = 'server' | 'client'

/** `workspace`: approved, then applied at once. `draft`: goes to the draft. */
export type Writes = 'nothing' | 'draft' | 'workspace'

export interface ToolDeclaration {
  readonly name: string
  /** What a person reads while it runs; `{path}` and other top-level arguments are filled in. */
  readonly label: string
  readonly summary: string
  /** For the model: when to use it, when not, and how. */
  readonly guidance: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly executionLocation: ExecutionLocation
  readonly toolsets: readonly Toolset[]
  readonly writes: Writes
  /** The tool's own codes, each with what to do next; the common codes need no entry. */
  readonly failures: Readonly<Record<string, Kind>>
  /** Where one of its codes, common or its own, may come with another kind than usual, and why. */
  readonly otherKinds?: Readonly<Record<string, { readonly kind: Kind; readonly because: string }>>
  /** Arguments that name a file; the router folds them to docPaths and the gate's rules match on them. */
  readonly paths?: readonly string[]
  /** Other names a model may call it by. */
  readonly aliases?: readonly string[]
  /** Its own checks report every problem at once; `input` is what a model is shown, and the router leaves it to them. */
  readonly checksOwnArguments?: true
  /** Names of fields inside its lists that it takes beside those of `input`, which a model is not shown. */
  readonly understands?: readonly string[]
  /** The arguments in its own shape, where models often send another; offered in a refusal, never used unasked. */
  readonly meant?: (given: unknown) => unknown
  /** What was asked for that it does not do; told in place of what the schema says there. */
  readonly lacks?: (given: unknown) => readonly Lack[]
  /** What the server's preflight hands to the client in place of the arguments. */
  readonly forwards?: z.ZodType
}

export interface Lack {
  /** `operations[0]` */
  readonly place: string
  /** What it does not do, and what works instead. */
  readonly message: string
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Declares a tool once; catalog, function lists, docs and labels are derived from it. */
export function defineTool<const T extends ToolDeclaration>(tool: T & SoundDeclaration<T>): T {
  if (!NAME.test(tool.name))
    throw new Error(`Tool name ${JSON.stringify(tool.name)} must match ${NAME.source}`)
  for (const field of ['label', 'summary', 'guidance'] as const)
    if (tool[field].trim() === '') throw new Error(`Tool "${tool.name}" has an empty ${field}`)
  if (tool.toolsets.length === 0) throw new Error(`Tool "${tool.name}" is in no toolset`)
  if (tool.forwards && tool.executionLocation !== 'client')
    throw new Error(`Tool "${tool.name}" forwards, so it must run on the client`)
  return tool
}

/** Refused by the compiler: a name with other characters in a literal, `forwards` on a server tool. */
type SoundDeclaration<T extends ToolDeclaration> =
  (T['name'] extends `${string}${' ' | '.' | '/'}${string}`
    ? { name: 'a tool name holds only letters, digits, _ and -' }
    : unknown) &
    (T extends { executionLocation: 'server'; forwards: z.ZodType }
      ? { forwards: 'only a client tool forwards' }
      : unknown)

export type ToolInput<T extends ToolDeclaration> = z.output<T['input']>
export type ToolOutput<T extends ToolDeclaration> = z.input<T['output']>
export type ToolCode<T extends ToolDeclaration> = Extract<keyof T['failures'], string> | CommonCode
export type ToolResult<T extends ToolDeclaration> = Result<Answer<ToolOutput<T>>, ToolCode<T>>
export type Forwarded<T extends ToolDeclaration> = T extends { forwards: infer F extends z.ZodType }
  ? z.output<F>
  : ToolInput<T>

/** What a handler returns on success: the tool's own fields, what the model reads, and warnings. */
export interface Answer<Fields> {
  readonly fields: Fields
  /** One sentence for a person. */
  readonly message: string
  /** What the model sees instead of the fields as JSON. A getter where it is dear: not every caller looks at it. */
  readonly text?: string
  /** The beginning of the text, made without the rest of it. */
  readonly brief?: (characters: number) => string
  readonly warnings?: readonly string[]
  readonly effects?: readonly Effect[]
}

/** What a tool that writes the workspace wants: a one-call draft, reviewed as an approval. */
export interface Proposal {
  /** "Patch 2 files", in a person's words. */
  readonly label: string
  readonly description?: string
  readonly edits: readonly ProposedEdit[]
  readonly warnings?: readonly string[]
}

export interface ProposedEdit {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly format: string
  /** The bytes it was planned on; null: the file must not exist. */
  readonly base: Sha256 | null
  readonly operation: Operation
}

/** A proposal after a person said yes and it was written. */
export interface PublishedProposal {
  readonly files: readonly PublishedFile[]
  readonly refused: readonly RefusedChange[]
  /** Went with a refused change it depended on. */
  readonly dropped: readonly string[]
  readonly warnings: readonly string[]
}

export interface RefusedChange {
  readonly changeId: string
  readonly reason?: string
  /** File and place, where they are still known: whoever proposed it has never seen its id. */
  readonly place?: string
}

export interface PublishedFile extends AppliedFile {
  /** The base had moved on, and every change was mapped onto the bytes found. */
  readonly rebased: boolean
  readonly contentHash: string | null
  /** Old lines to new lines, for text. */
  readonly lineMap?: unknown
  readonly diff?: string
}

/** Two steps with the person between them; `finish` sees only durable data, so a restart loses nothing. */
export interface Proposer<T extends ToolDeclaration, Context> {
  propose(input: Forwarded<T>, context: Context): Promise<Result<Proposal, ToolCode<T>>>
  finish(input: Forwarded<T>, published: PublishedProposal): Answer<ToolOutput<T>>
  /** What the model calls each change, by its id, for the person who is asked. */
  labels?(input: Forwarded<T>): ReadonlyMap<string, ChangeLabels>
}

export type ServerHandler<T extends ToolDeclaration, Context> = (
  input: ToolInput<T>,
  context: Context,
) => Promise<ToolResult<T>>

/** Checks and stores on the server; its value is what the client receives. */
export type Preflight<T extends ToolDeclaration, Context> = (
  input: ToolInput<T>,
  context: Context,
) => Promise<Result<Forwarded<T>, ToolCode<T>>>

export type ClientHandler<T extends ToolDeclaration, Context> = (
  input: Forwarded<T>,
  context: Context,
) => Promise<ToolResult<T>>

/** Which handlers a declaration needs, so that a missing one or one on the wrong side does not compile. */
export type HandlersFor<T extends ToolDeclaration, Server, Client> = T extends {
  executionLocation: 'server'
}
  ? { server: ServerHandler<T, Server>; client?: never; preflight?: never }
  : { client: ClientSide<T, Client>; server?: never } & (T extends { forwards: z.ZodType }
      ? { preflight: Preflight<T, Server> }
      : { preflight?: never })

/** Whoever writes the workspace proposes; the runner asks, applies and lets it finish. */
export type ClientSide<T extends ToolDeclaration, Client> = T extends { writes: 'workspace' }
  ? Proposer<T, Client>
  : ClientHandler<T, Client>

export interface BoundTool<T extends ToolDeclaration, Server, Client> {
  readonly declaration: T
  readonly handlers: HandlersFor<T, Server, Client>
}

/** The handlers of any tool, for the router and the runner that look them up by name. */
export interface AnyTool<Server, Client> {
  readonly declaration: ToolDeclaration
  readonly handlers: {
    readonly server?: ServerHandler<ToolDeclaration, Server>
    readonly preflight?: Preflight<ToolDeclaration, Server>
    readonly client?: ClientHandler<ToolDeclaration, Client> | Proposer<ToolDeclaration, Client>
  }
}

/** Fills `{path}` and the like from the arguments: "Creating src/a.ts". */
export function labelOf(tool: Pick<ToolDeclaration, 'label'>, input: unknown): string {
  return tool.label.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = (input as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '…'
  })
}
