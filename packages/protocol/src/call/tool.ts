import type { z } from 'zod'
import type { Effect, ImageName, JournalLine } from '../log/journal.ts'
import type { Fields } from '../words/fields.ts'
import type { AskedQuestion } from '../words/pending.ts'
import type { CommonCode, Kind, Result } from '../words/result.ts'
import { visibleName } from '../words/visible.ts'

export const TOOLSETS = ['workspace', 'workshop'] as const
export type Toolset = (typeof TOOLSETS)[number]

export type ExecutionLocation = 'server' | 'client'

/** `workspace`: approved, then applied at once. `draft`: goes to the draft. */
export type Writes = 'nothing' | 'draft' | 'workspace'

export interface ToolDeclaration {
  readonly name: string
  /** Shown to a person while it runs; `{path}` and other top-level arguments are filled in. */
  readonly label: string
  readonly summary: string
  /** For the model: when to use it, when not, and how. */
  readonly guidance: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly executionLocation: ExecutionLocation
  readonly toolsets: readonly Toolset[]
  /** Offered only to models with such a window; a person may ask for the tools of small ones. */
  readonly window?: 'small' | 'large'
  /** Offered only to models with at least this window, in tokens. */
  readonly leastWindow?: number
  /** In plan mode it is offered whatever the window. */
  readonly servesPlanning?: true
  /** A person answers it; nothing else knows its outcome. */
  readonly asksPerson?: true
  /** A run of its own answers it, with the tools that only read. */
  readonly delegates?: true
  readonly writes: Writes
  /** The tool's own codes, each with what to do next; the common codes need no entry. */
  readonly failures: Readonly<Record<string, Kind>>
  /** Codes, common or its own, that may come with another kind than usual, and why. */
  readonly otherKinds?: Readonly<Record<string, { readonly kind: Kind; readonly because: string }>>
  /** Other names a model may call it by. */
  readonly aliases?: readonly string[]
  /**
   * Its own checks report every problem at once; `input` is only shown to the model, and the router does not check it.
   */
  readonly checksOwnArguments?: true
  /** All fields of an entry of its lists, where that depends on the entry; without it, those of `input`. */
  readonly fieldsOf?: (entry: Fields) => readonly string[] | undefined
  /** How such an entry is sent, for an error message: `delete_sheet {sheet}`. */
  readonly usageOf?: (entry: Fields) => string | undefined
  /** What does instead what a model may ask for with an argument or a field that it does not have. */
  readonly instead?: readonly Instead[]
  /** The arguments in its own shape, where models often send another; offered in a refusal, never used silently. */
  readonly meant?: (given: unknown) => unknown
  /** What a model is offered of it where the list would be too long otherwise, each form shorter than the one before. */
  readonly shorter?: readonly ShorterOffer[]
  /** It explains the tools that are offered in a shorter form, and is offered only next to such a tool. */
  readonly explainsShorter?: true
  /** Without it a model can do nothing: it is in the list of the smallest window. */
  readonly isBasic?: true
  /** Requests that it does not support; reported instead of the schema's problem there. */
  readonly lacks?: (given: unknown) => readonly Lack[]
  /** Its specification asks for the message in `errors` too. */
  readonly listsItsMessage?: true
  /** The server's preflight hands this to the client in place of the arguments. */
  readonly forwards?: z.ZodType
}

/** The call is checked against the whole `input`; this is only what a model is shown. */
export interface ShorterOffer {
  readonly guidance: string
  readonly input: z.ZodObject
}

export interface Lack {
  /** `operations[0]` */
  readonly place: string
  /** Says what is unsupported, and what works instead. */
  readonly message: string
}

export interface Instead {
  readonly names: readonly string[]
  /** "The text always replaces the whole file." */
  readonly does: string
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

/** The compiler refuses a literal name with other characters, and `forwards` on a server tool. */
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

/** A tool as offered to a model. */
export interface ToolOffer {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A handler's success: the tool's own fields, the text for the model, and warnings. */
export interface Answer<Fields> {
  readonly fields: Fields
  /** One sentence for a person. */
  readonly message: string
  /**
   * The text for the model instead of the fields as JSON. A getter where it is expensive: not every caller reads it.
   */
  readonly text?: string
  /** The beginning of the text, made without the rest. */
  readonly brief?: (characters: number) => string
  readonly warnings?: readonly string[]
  readonly effects?: readonly Effect[]
  /** Rows for the log, next to the result. */
  readonly rows?: readonly JournalLine[]
  /** It needs an answer first: the call waits for a person, and the answer is its result. */
  readonly asks?: AskedQuestion
  /** Pictures for a model that sees, kept by their hash. */
  readonly images?: readonly ImageName[]
}

/** Fills in `{path}` and the like from the arguments, in one line: "Creating src/a.ts". */
export function labelOf(tool: Pick<ToolDeclaration, 'label'>, input: unknown): string {
  return tool.label.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = (input as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' || typeof value === 'number' ? visibleName(String(value)) : '…'
  })
}
