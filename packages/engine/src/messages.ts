import type {
  ApplyOptions,
  DocumentName,
  FormatId,
  QueryOptions,
  ReadOptions,
  RebaseRequest,
} from '@filewright/documents'
import type { ChangeId, LoggedOperation, Region, Result } from '@filewright/protocol'
import type {
  ChunkedFile,
  DiffRequest,
  DocumentSource,
  EngineQuery,
  QueriedFile,
  SearchedFile,
  TaskRequest,
} from './engine.ts'

/** What crosses to the child. One at a time, so whatever goes wrong is due to the current one. */
export type HostRequest = DocumentRequest | LooseRequest

/** Of a document that is held, or is brought along in `source`. */
export interface DocumentRequest {
  readonly type: 'document'
  readonly key: string
  readonly state: string
  readonly format: FormatId
  readonly name: DocumentName
  readonly work: DocumentWork
  readonly source?: DocumentSource
}

export type DocumentWork =
  | { readonly type: 'map' }
  | { readonly type: 'read'; readonly region: Region; readonly options: ReadOptions }
  | { readonly type: 'search'; readonly query: EngineQuery }
  | {
      readonly type: 'apply'
      readonly log: readonly LoggedOperation[]
      readonly next: string
      readonly options?: ApplyOptions
    }
  | { readonly type: 'changes' }
  | { readonly type: 'consequences' }
  | { readonly type: 'strayed' }
  | { readonly type: 'preview' }
  | { readonly type: 'content' }
  | { readonly type: 'replay'; readonly refused: ReadonlySet<ChangeId> }

/** Of no held document. */
export type LooseRequest =
  | { readonly type: 'rebase'; readonly format: FormatId; readonly request: RebaseRequest }
  | ({ readonly type: 'diff' } & DiffRequest)
  | {
      readonly type: 'create'
      readonly format: FormatId
      readonly name: DocumentName
      readonly from?: Uint8Array
    }
  | {
      readonly type: 'search-files'
      readonly files: readonly SearchedFile[]
      readonly query: EngineQuery
    }
  | ({ readonly type: 'task' } & TaskRequest)
  | {
      readonly type: 'query'
      readonly files: readonly QueriedFile[]
      readonly sql: string
      readonly options: QueryOptions
    }
  | { readonly type: 'chunk'; readonly file: ChunkedFile }
  | { readonly type: 'forget'; readonly key: string }

/** The files that searches left open have one home, as a document has. */
export const SEARCHED_FILES = 'searched-files'

export type HostAnswer =
  | {
      readonly type: 'result'
      readonly result: Result<unknown>
      /** The result owns its bytes, so they may be moved instead of copied. */
      readonly ownsBytes?: true
      /** The error that a format threw: for the log, not for the caller. */
      readonly bug?: string
    }
  /** Send it again with its source. */
  | { readonly type: 'not-held' }
  /** Nobody waits for it. */
  | { readonly type: 'forgotten' }
