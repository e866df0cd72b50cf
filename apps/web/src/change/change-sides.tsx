import { type Change, type ChangeSide, toSideTexts, visible } from '@filewright/protocol'
import { More, useMore } from '../parts/more.tsx'
import { around, type ContextLines, type Numbered } from './context-lines.ts'
import { diffWords, type MergedPiece, mergeWords, type WordPiece } from './word-diff.ts'

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

const ONE_LINE = 60 // characters that have room beside the buttons

/** Text that needs the whole width: a paragraph, or the lines of a slide. */
export function isProse({ before, after, place, description = '' }: Change): boolean {
  if (before?.lines || after?.lines) return false
  const texts = toSideTexts(before, after)
  const all = `${texts.before ?? ''}${texts.after ?? ''}`
  return `${place}${all}${description}`.length > ONE_LINE || /[\n⏎]/.test(all)
}

/** Values and texts, with the words that differ. */
export function ChangedValue({ change }: { change: Change }) {
  const { before, after } = change
  if (before?.lines || after?.lines) return null
  const texts = toSideTexts(before, after)
  const isLong = isProse(change)
  if (texts.before === undefined || texts.after === undefined)
    return (
      <>
        <OneSide text={texts.before} side="before" isLong={isLong} />
        <OneSide text={texts.after} side="after" isLong={isLong} />
      </>
    )
  const merged = isLong ? mergeWords(texts.before, texts.after) : undefined
  if (merged) return <Merged pieces={merged} />
  const words = diffWords(texts.before, texts.after)
  return (
    <>
      <Value pieces={words.before} side="before" isLong={isLong} />
      {!isLong && <span aria-hidden="true">→</span>}
      <Value pieces={words.after} side="after" isLong={isLong} />
    </>
  )
}

function OneSide({ text, ...look }: { text: string | undefined } & SideLook) {
  return text === undefined ? null : <Value pieces={[{ text, isOwn: false }]} {...look} />
}

const MERGED = {
  same: 'span',
  removed: 'del',
  added: 'ins',
} as const
const MERGED_LOOKS = {
  same: '',
  removed: 'rounded-sm bg-removed-strong text-removed-ink line-through',
  added: 'rounded-sm bg-added-strong text-added-ink no-underline',
}
const MERGED_WORDS = { same: '', removed: 'removed ', added: 'added ' }

/** A long text once, with what is taken out and put in. */
function Merged({ pieces }: { pieces: readonly MergedPiece[] }) {
  return (
    <span className="keep-inside basis-full whitespace-pre-wrap">
      {pieces.map(({ text, kind }, index) => {
        const Piece = MERGED[kind]
        return (
          <Piece key={index} className={MERGED_LOOKS[kind]}>
            {kind !== 'same' && <span className="sr-only">{MERGED_WORDS[kind]}</span>}
            {visibleLines(text)}
          </Piece>
        )
      })}
    </span>
  )
}

/** Lines stay lines; everything else that cannot be seen is spelled out. */
function visibleLines(text: string): string {
  return text
    .split(/\n| ?⏎ ?/)
    .map(visible)
    .join('\n')
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

interface SideLook {
  readonly side: 'before' | 'after'
  readonly isLong: boolean
}

const SIDES = {
  before: { own: 'bg-removed text-removed-ink line-through', strong: 'bg-removed-strong' },
  after: { own: 'bg-added text-added-ink', strong: 'bg-added-strong' },
}

function Value({ pieces, side, isLong }: { pieces: readonly WordPiece[] } & SideLook) {
  const { own, strong } = SIDES[side]
  return (
    <span
      className={`keep-inside rounded-sm px-1.5 ${isLong ? 'basis-full whitespace-pre-wrap' : ''} ${own}`}
    >
      <span className="sr-only">{side} </span>
      <Pieces pieces={pieces} strong={strong} show={isLong ? visibleLines : visible} />
    </span>
  )
}

/** A side without any other word is marked by its own colour. */
function Pieces({
  pieces,
  strong,
  show = visible,
}: {
  pieces: readonly WordPiece[]
  strong: string
  show?: (text: string) => string
}) {
  const isWhole = pieces.length === 1
  return pieces.map(({ text, isOwn }, index) =>
    isOwn && !isWhole ? (
      <span key={index} className={`rounded-sm ${strong}`}>
        {show(text)}
      </span>
    ) : (
      show(text)
    ),
  )
}
