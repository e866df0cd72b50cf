import { type CommonCode, type Failure, fail } from '@filewright/protocol'
import type { SearchedFile } from './engine.ts'
import type { HostRequest } from './messages.ts'

/** One sentence for what could not be done and why, one for the state found, one for what would work. */
export function cannotDo<Code extends CommonCode>(
  request: HostRequest,
  code: Code,
  reason: string,
): { readonly ok: false; readonly failure: Failure<Code> } {
  const { advice } = describe(request)
  const next =
    code === 'INTERNAL_ERROR'
      ? 'The same call will probably fail again; you can still work on other files.'
      : advice
  return fail(code, sentence(request, reason, next))
}

/** The limit on open files or processes is reached: not a bug, and it may pass soon. */
export function noProcess(request: HostRequest) {
  const reason = 'the system is out of processes or open files'
  const next = 'Try again in a moment; if it persists, ask the person to raise the limit.'
  return fail('LIMIT_REACHED', sentence(request, reason, next), { kind: 'unavailable' })
}

export function changedMeanwhile(request: HostRequest) {
  const reason = 'it changed while it was read'
  const next = 'Another program writes it now; try again when that is done.'
  return fail('LOCKED', sentence(request, reason, next))
}

function sentence(request: HostRequest, reason: string, next: string): string {
  const { what } = describe(request)
  return isWrite(request)
    ? `Nothing was written: cannot ${what}, because ${reason}. ${next}`
    : `Cannot ${what}: ${reason}. ${isOfOneFile(request) ? 'The file is as it was' : 'Nothing was changed'}. ${next}`
}

export function cancelled() {
  return fail('CANCELLED', 'Nothing was done: the call was cancelled.')
}

export function closed() {
  return fail('CANCELLED', 'Nothing was done: Filewright is closing. Ask again when it runs.')
}

/** A search or a query may be over many. */
function isOfOneFile(request: HostRequest): boolean {
  if (request.type === 'query') return false
  return request.type !== 'search-files' || request.files.length === 1
}

function isWrite(request: HostRequest): boolean {
  return request.type === 'document' && request.work.type === 'apply'
}

function describe(request: HostRequest): { what: string; advice: string } {
  switch (request.type) {
    case 'document':
      return describeWork(request)
    case 'rebase':
      return {
        what: `bring the changes of "${request.request.name.path}" onto the current file`,
        advice: 'Discard the draft of this file and make the changes again.',
      }
    case 'diff':
      return {
        what: `compare two versions of "${request.name.path}"`,
        advice: 'Read both instead.',
      }
    case 'create':
      return { what: `create "${request.name.path}"`, advice: 'Try once more.' }
    case 'search-files':
      return {
        what: `search ${describeSearched(request.files)}`,
        advice: SEARCH_ADVICE,
      }
    case 'task':
      return { what: `${request.what} "${request.path}"`, advice: 'Ask for less of it at once.' }
    case 'query':
      return {
        what: 'run the query',
        advice: 'Query fewer rows or columns (range), join on equal values, or add a LIMIT.',
      }
    case 'chunk':
      return {
        what: `index "${request.file.name.path}"`,
        advice: 'It is searched without its structure.',
      }
    case 'forget':
      return { what: 'close a document', advice: 'Nothing needs to be done.' }
  }
}

function describeSearched(files: readonly SearchedFile[]): string {
  const only = files.length === 1 ? files[0]!.source : undefined
  return only ? `"${only.name.path}"` : `${files.length} files`
}

const SEARCH_ADVICE =
  'Search for plain text or with a simpler regular expression (no repeat inside a repeat), or in fewer files.'

function describeWork({ work, name }: Extract<HostRequest, { type: 'document' }>) {
  switch (work.type) {
    case 'map':
      return { what: `map "${name.path}"`, advice: 'Read one region of it instead.' }
    case 'read':
      return { what: `read "${name.path}"`, advice: 'Ask for a smaller region.' }
    case 'search':
      return { what: `search "${name.path}"`, advice: SEARCH_ADVICE }
    case 'apply':
      return {
        what: `carry out the operations on "${name.path}"`,
        advice: 'Send fewer operations, or smaller ones, in one call.',
      }
    case 'changes':
    case 'strayed':
    case 'consequences':
      return {
        what: `list the changes of "${name.path}"`,
        advice: 'Discard the draft of this file and make smaller edits.',
      }
    case 'preview':
      return { what: `show "${name.path}"`, advice: 'Read one region of it instead.' }
    case 'replay':
      return {
        what: `combine the accepted changes of "${name.path}"`,
        advice: 'Publish fewer files at a time, or discard the draft of this one.',
      }
    case 'content':
      return {
        what: `write out "${name.path}"`,
        advice: 'Discard the draft of this file and make smaller edits.',
      }
  }
}
