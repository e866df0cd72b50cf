import {
  type Chunk,
  type FileChunks,
  factsOf,
  linesOf,
  type ReadableDocument,
  sectionsOf,
  type UnnamedChunk,
  withPlaces,
} from '@filewright/documents'
import { decodeText } from '@filewright/documents/text'
import { ok, type Region, type Result } from '@filewright/protocol'
import type { ChunkedFile } from '../engine.ts'
import type { LoadFormat } from '../load-format.ts'
import { languageOf } from './languages.ts'

const MOST_TEXT = 16_000 // characters of one chunk: a longer function is found by its beginning
const MOST_LINES = 50_000 // of one file: the rest of a long log is not searched by rank
const PAGE_BYTES = 4_000 // of a document: about a page
const MOST_PAGES = 100

/** The pieces by which a search finds a file: definitions of code, sections, stretches of lines, pages of documents. */
export async function chunkFile(
  { format, name, bytes }: ChunkedFile,
  loadFormat: LoadFormat,
): Promise<Result<FileChunks>> {
  const { isPacked, isLines, editing } = factsOf(format)
  if (isPacked || !(isLines || editing)) {
    const opened = (await loadFormat(format)).open(bytes, name)
    return opened.ok ? ok({ language: format, chunks: pagesOf(opened.value) }) : opened
  }
  const { name: language, grammar } = languageOf(name.docPath)
  const text = decodeText(bytes).slice(1, MOST_LINES).content.replaceAll('\r\n', '\n')
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const unnamed = await splitText(text, lines, { language, grammar })
  return ok({ language, chunks: withPlaces(unnamed).map(bounded) })
}

async function splitText(
  text: string,
  lines: readonly string[],
  { language, grammar }: { language: string; grammar?: string },
): Promise<readonly UnnamedChunk[]> {
  if (grammar !== undefined) {
    const { parseCode } = await import('./parse-code.ts')
    return withRest(await parseCode(text, grammar), lines)
  }
  return language === 'markdown' ? sectionsOf(lines) : linesOf(lines, 1, lines.length)
}

/** What no definition covers: imports, constants, statements. */
function withRest(
  found: readonly UnnamedChunk[],
  lines: readonly string[],
): readonly UnnamedChunk[] {
  const sorted = [...found].sort((a, b) => a.lineStart - b.lineStart)
  const all: UnnamedChunk[] = []
  let next = 1
  for (const chunk of sorted) {
    all.push(...linesOf(lines, next, chunk.lineStart - 1), chunk)
    next = Math.max(next, chunk.lineEnd + 1)
  }
  return [...all, ...linesOf(lines, next, lines.length)]
}

/** As read_file pages it; its lines are those of the text that a reader sees. */
function pagesOf(document: ReadableDocument): readonly Chunk[] {
  const pages: UnnamedChunk[] = []
  let region: Region | undefined = {}
  let line = 1
  for (let page = 0; region && page < MOST_PAGES; page++) {
    const read = document.read(region, { maxBytes: PAGE_BYTES, textOnly: true })
    if (!read.ok) break
    const { text, shown, next } = read.value
    const lineEnd = line + text.split('\n').length - 1
    pages.push({ kind: 'part', names: [shown], lineStart: line, lineEnd, text })
    line = lineEnd + 1
    region = next ?? undefined
  }
  return withPlaces(pages).map(bounded)
}

function bounded(chunk: Chunk): Chunk {
  return chunk.text.length <= MOST_TEXT ? chunk : { ...chunk, text: chunk.text.slice(0, MOST_TEXT) }
}
