import { formatByName, type SearchHits } from '@filewright/documents'
import type { EngineQuery, SearchedFile, SearchedFiles } from '@filewright/engine'
import { fail, LIMITS, ok, type Result } from '@filewright/protocol'
import type { FileFailure, FileSearch, Files } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import { type Desk, engineFor, viewFile } from '../draft/draft-view.ts'
import { recognise } from '../draft/recognise.ts'
import { toAnswer } from './search-answer.ts'
import { findCandidates, type SearchCandidate } from './search-candidates.ts'

const KNOWN_AT_ONCE = 2_000 // files that the engine may hold: only their names travel
const BATCH_FILES = 400
const BATCH_BYTES = 4 * 1024 * 1024
/** Less than a tool may take, so that what was found until then is an answer. */
const BUDGET_MS = LIMITS.toolTimeoutMs * 0.7
const BATCH_MS = LIMITS.toolTimeoutMs / 3
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** The files of the workspace as the draft has them, searched where a hostile expression can be stopped. */
export function createTreeSearch(desk: Desk, draft: Draft): Files['search'] {
  return async (asked, onProgress) => {
    const candidates = await findCandidates(desk, draft, asked)
    if (!candidates.ok) return candidates
    const search = new TreeSearch(desk, draft, toEngineQuery(asked))
    const failed = await search.run(candidates.value, done =>
      onProgress?.(done, candidates.value.length),
    )
    return failed ?? ok(toAnswer(candidates.value, search.results, asked))
  }
}

function toEngineQuery({ text, regex, caseSensitive, ...asked }: FileSearch): EngineQuery {
  const expression = regex === undefined ? undefined : toExpression(regex, caseSensitive === true)
  return {
    ...(expression ? { regex: expression } : { text }),
    caseSensitive,
    context: asked.context,
    maxHits: asked.maxPerFile,
    maxHitsInAll: asked.maxHits + asked.maxPerFile, // the last file is shown whole
  }
}

/** With `u` only where it is needed: it forbids escapes that people write, such as `\-`. */
function toExpression(source: string, isCaseSensitive: boolean) {
  const unicode = /\\[pP]\{|\\u\{/.test(source) ? 'u' : ''
  return { source, flags: `${isCaseSensitive ? '' : 'i'}${unicode}` }
}

class TreeSearch {
  readonly #desk: Desk
  readonly #draft: Draft
  readonly #query: EngineQuery
  /** By docPath; without one: time ran out before. */
  readonly results = new Map<string, Result<SearchHits>>()
  readonly #began = performance.now()
  #isOnly = false

  constructor(desk: Desk, draft: Draft, query: EngineQuery) {
    this.#desk = desk
    this.#draft = draft
    this.#query = query
  }

  /** A failure ends the whole search: the expression is at fault, or nothing can be reached. */
  async run(
    candidates: readonly SearchCandidate[],
    onProgress: (done: number) => void,
  ): Promise<Result<never, FileFailure> | undefined> {
    this.#isOnly = candidates.length === 1
    const drafted = candidates.filter(({ isDrafted }) => isDrafted)
    const onDisk = candidates.filter(({ isDrafted }) => !isDrafted)
    for (const candidate of drafted) await this.#searchDrafted(candidate)
    const unheld: SearchCandidate[] = []
    for (let at = 0; at < onDisk.length; at += KNOWN_AT_ONCE) {
      const asked = onDisk.slice(at, at + KNOWN_AT_ONCE)
      const failed = await this.#searchHeld(asked, unheld)
      if (failed) return failed
      onProgress(this.results.size)
    }
    for (const batch of toBatches(unheld)) {
      if (this.#isOver) return undefined
      const failed = await this.#searchRead(batch)
      if (failed) return failed
      onProgress(this.results.size)
    }
    return undefined
  }

  get #leftMs(): number {
    return BUDGET_MS - (performance.now() - this.#began)
  }
  get #isOver(): boolean {
    return this.#leftMs <= 0
  }

  async #searchDrafted({ path, docPath }: SearchCandidate): Promise<void> {
    const file = await viewFile(this.#desk, this.#draft, path)
    if (!file.ok) return void this.results.set(docPath, file)
    const { regex } = this.#query
    const engine = regex ? this.#desk.engines.hostile : engineFor(this.#desk, file.value.format)
    const bounds = { timeoutMs: BATCH_MS }
    this.results.set(docPath, await engine.search(file.value.ref, this.#query, bounds))
  }

  /** What the engine knows from an earlier search needs no bytes. */
  async #searchHeld(asked: readonly SearchCandidate[], unheld: SearchCandidate[]) {
    const known = asked.filter(({ sha256 }) => sha256 !== null)
    unheld.push(...asked.filter(({ sha256 }) => sha256 === null))
    if (known.length === 0) return undefined
    const searched = await this.#ask(known.map(({ docPath, sha256 }) => toHeld(docPath, sha256!)))
    if (!searched.ok) return searched
    const missing = new Set(searched.value.unheld)
    for (const [i, candidate] of known.entries())
      if (missing.has(i)) unheld.push(candidate)
      else this.results.set(candidate.docPath, searched.value.found.get(i) ?? ok(NOTHING))
    return undefined
  }

  async #searchRead(batch: readonly SearchCandidate[]) {
    const read = await Promise.all(batch.map(candidate => this.#read(candidate)))
    const files = read.filter(file => file !== undefined)
    if (files.length === 0) return undefined
    const searched = await this.#ask(files)
    if (searched.ok) {
      for (const [i, { source }] of files.entries())
        this.results.set(source.name.docPath, searched.value.found.get(i) ?? ok(NOTHING))
      return undefined
    }
    const { code } = searched.failure
    // A single file that breaks or overwhelms the engine says nothing about the others.
    if (files.length > 1 || this.#isOnly || code === 'INVALID_ARGUMENT' || code === 'CANCELLED')
      return searched
    this.results.set(files[0]!.source.name.docPath, searched)
    return undefined
  }

  async #read({ docPath, path, sizeBytes }: SearchCandidate): Promise<SentFile | undefined> {
    if (sizeBytes > MAX_FILE_BYTES) {
      this.results.set(docPath, tooLarge(path))
      return undefined
    }
    const allowPrivate = this.#desk.allowsReading(docPath)
    const read = await this.#desk.workspace.read(path, { allowPrivate })
    if (!read.ok) {
      const isGone = read.failure.code === 'NOT_FOUND' // deleted since it was listed
      this.results.set(docPath, isGone ? ok(NOTHING) : read)
      return undefined
    }
    const { bytes, sha256 } = read.value
    const { format = null } = recognise(docPath, bytes)
    const name = { docPath, path }
    const source = { format, name, bytes: format === null ? new Uint8Array() : bytes }
    return { ...toHeld(docPath, sha256!), source }
  }

  async #ask(files: readonly SearchedFile[]) {
    const timeoutMs = Math.max(1000, Math.min(BATCH_MS, this.#leftMs))
    const found = await this.#desk.engines.hostile.searchFiles(files, this.#query, { timeoutMs })
    return found as Result<SearchedFiles, FileFailure>
  }
}

type SentFile = SearchedFile & { readonly source: NonNullable<SearchedFile['source']> }

function toHeld(docPath: string, sha256: string): SearchedFile {
  return { state: `${sha256}:${docPath}` }
}

const NOTHING: SearchHits = { hits: [], isTruncated: false, total: 0 }

function tooLarge(path: string): Result<never> {
  const megabytes = MAX_FILE_BYTES / 2 ** 20
  return fail('TOO_LARGE', `Cannot search "${path}": it is larger than ${megabytes} MB.`)
}

/** Formats that can be hostile file by file, since one must not stop the search of others; all else a few megabytes at a time. */
function* toBatches(candidates: readonly SearchCandidate[]): Generator<readonly SearchCandidate[]> {
  let batch: SearchCandidate[] = []
  let bytes = 0
  for (const candidate of candidates) {
    if (formatByName(candidate.docPath)?.hostile) {
      yield [candidate]
      continue
    }
    batch.push(candidate)
    bytes += candidate.sizeBytes
    if (bytes < BATCH_BYTES && batch.length < BATCH_FILES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
