import type { ChangeLabels } from '../change/change.ts'
import type { AppliedFile } from '../change/change-set.ts'
import type { Operation } from '../change/operation.ts'
import type { DocPath, RelativePath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'
import type { Failure, Result } from '../words/result.ts'
import type { Answer, Forwarded, ToolCode, ToolDeclaration, ToolOutput } from './tool.ts'

/** The wish of a tool that writes the workspace: a one-call draft, reviewed as an approval. */
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
  /** Dropped with a refused change it depended on. */
  readonly dropped: readonly string[]
  readonly warnings: readonly string[]
}

export interface RefusedChange {
  readonly changeId: string
  readonly reason?: string
  /** File and place, where still known: the proposer has never seen its id. */
  readonly place?: string
}

export interface PublishedFile extends AppliedFile {
  /** The base had changed, and every change was mapped onto the bytes found. */
  readonly rebased: boolean
  /** Of a file that was written whole; null where it could not be read again. */
  readonly contentHash: string | null
  /** Old lines to new lines, for text. */
  readonly lineMap?: unknown
  readonly diff?: string
}

/** Two steps with the person between them; `finish` sees only durable data, so a restart loses nothing. */
export interface Proposer<T extends ToolDeclaration, Context> {
  propose(input: Forwarded<T>, context: Context): Promise<Result<Proposal, ToolCode<T>>>
  finish(input: Forwarded<T>, published: PublishedProposal): Answer<ToolOutput<T>>
  /** The model's name for each change, by change id, for the person who decides. */
  labels?(input: Forwarded<T>): ReadonlyMap<string, ChangeLabels>
  /** Its answer names the files even when they already had the content and nothing was written. */
  readonly answersUnchanged?: true
  /** Why it cannot answer for the files that were written. */
  findFault?(files: readonly PublishedFile[]): Result<never, ToolCode<T>> | undefined
  /** Its own code for a failure with a common code; undefined keeps the common one. */
  toOwnCode?(failure: Failure, input: Forwarded<T>): OwnCode<T> | undefined
}

type OwnCode<T extends ToolDeclaration> = Extract<keyof T['failures'], string>
