import { type Change, type ChangeSide, toSideTexts, visible } from '@filewright/protocol'
import { More, useMore } from '../parts/more.tsx'
import { around, type ContextLines, type Numbered } from './context-lines.ts'
import { diffWords, type WordPiece } from './word-diff.ts'

/** Of one change; the next ones on request. */
const SHOWN_LINES = 200

type Line = {
  readonly number: number | undefined
  readonly pieces: readonly WordPiece[]
  readonly kind: 'added' | 'removed' | 'same'
}

const NO_CONTEXT: ContextLines = new Map()

/** Lines below each other, with their numbers, the words that differ, and what stands around them. */
export function ChangedLines({
  change: { before, after },
  context = NO_CONTEXT,
}: {
  change: Change
  context?: ContextLines
}) {
  const { shown, left, showMore } = useMore(toLines(before, after, context), SHOWN_LINES)
  if (shown.length === 0) return null
  return (
    <>
      <div className="pb-2 font-mono text-sm">
        {shown.map((line, index) => (
          <LineRow key={index} line={line} />
        ))}
      </div>
      <More left={left} of="line" onMore={showMore} />
      {left === 0 && after?.lineCount !== undefined && (
        <p className="px-3 pb-2 text-sm text-danger">
          These are the first {after.lines?.length} of {after.lineCount} lines. Open the file to see
          them all.
        </p>
      )}
    </>
  )
}

/** Values, or texts that are longer than a line, with the words that differ. */
export function ChangedValue({ change: { before, after } }: { change: Change }) {
  if (before?.lines || after?.lines) return null
  const texts = toSideTexts(before, after)
  const both = texts.before !== undefined && texts.after !== undefined
  const words = both ? diffWords(texts.before!, texts.after!) : undefined
  return (
    <>
      {texts.before !== undefined && (
        <Value
          pieces={words?.before ?? [{ text: texts.before, isOwn: false }]}
          label="before"
          className="bg-removed text-removed-ink line-through"
          strong="bg-removed-strong"
        />
      )}
      {both && <span aria-hidden="true">→</span>}
      {texts.after !== undefined && (
        <Value
          pieces={words?.after ?? [{ text: texts.after, isOwn: false }]}
          label="after"
          className="bg-added text-added-ink"
          strong="bg-added-strong"
        />
      )}
    </>
  )
}

function toLines(
  before: ChangeSide | null,
  after: ChangeSide | null,
  context: ContextLines,
): Line[] {
  const [old, now] = [before?.lines ?? [], after?.lines ?? []]
  if (old.length + now.length === 0) return []
  const pairs = old.length === now.length ? old.map((line, at) => diffWords(line, now[at]!)) : []
  const side = (own: ChangeSide | null, kind: 'added' | 'removed', which: 'before' | 'after') =>
    (own?.lines ?? []).map(
      (text, index): Line => ({
        number: own?.firstLine === undefined ? undefined : own.firstLine + index,
        pieces: pairs[index]?.[which] ?? [{ text, isOwn: false }],
        kind,
      }),
    )
  const first = before?.firstLine
  const { above, below } =
    first === undefined ? { above: [], below: [] } : around(context, first, old.length)
  return [
    ...above.map(toSame),
    ...side(before, 'removed', 'before'),
    ...side(after, 'added', 'after'),
    ...below.map(toSame),
  ]
}

function toSame({ number, text }: Numbered): Line {
  return { number, pieces: [{ text, isOwn: false }], kind: 'same' }
}

const LOOKS = {
  added: { row: 'bg-added text-added-ink', strong: 'bg-added-strong', sign: '+', word: 'added' },
  removed: {
    row: 'bg-removed text-removed-ink',
    strong: 'bg-removed-strong',
    sign: '−',
    word: 'removed',
  },
  same: { row: 'text-muted', strong: '', sign: '', word: '' },
}

function LineRow({ line: { number, pieces, kind } }: { line: Line }) {
  const { row, strong, sign, word } = LOOKS[kind]
  return (
    <div className={`flex ${row}`}>
      <span className="w-gutter flex-none pr-3 text-right select-none">{number}</span>
      <span className="w-5 flex-none select-none">
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{word}</span>
      </span>
      <span className="keep-inside pr-3 whitespace-pre-wrap">
        <Pieces pieces={pieces} strong={strong} />
      </span>
    </div>
  )
}

function Value({
  pieces,
  label,
  className,
  strong,
}: {
  pieces: readonly WordPiece[]
  label: string
  className: string
  strong: string
}) {
  return (
    <span className={`keep-inside rounded-sm px-1.5 ${className}`}>
      <span className="sr-only">{label} </span>
      <Pieces pieces={pieces} strong={strong} />
    </span>
  )
}

/** A side without any other word is marked by its own colour. */
function Pieces({ pieces, strong }: { pieces: readonly WordPiece[]; strong: string }) {
  const isWhole = pieces.length === 1
  return pieces.map(({ text, isOwn }, index) =>
    isOwn && !isWhole ? (
      <span key={index} className={`rounded-sm ${strong}`}>
        {visible(text)}
      </span>
    ) : (
      visible(text)
    ),
  )
}
