import { createLineNumbering, diffLines } from '../../text/diff/line-diff.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { paragraphKey } from '../story/paragraph-key.ts'
import type { Paragraph, Story } from '../story/story.ts'

/**
 * Where the paragraphs of a document are after somebody else saved it. A paragraph is found where one that means the
 * same stands; one that occurs several times only where the paragraphs around it are found too.
 */
export class ParagraphAlignment {
  readonly #ids = new Map<string, string>()
  /** Paragraphs that stand where others stood, and say something else. */
  readonly #changed = new Map<string, string>()

  constructor(old: Manuscript, now: Manuscript) {
    for (const story of old.stories) {
      const other = now.story(story.name)
      if (other) this.#align(story, other)
    }
  }

  /** The id that a paragraph or table of the old file has in the new one; undefined where that is not proven. */
  idOf(id: string): string | undefined {
    return this.#ids.get(id)
  }

  /** The paragraph that took its place; it says something else. */
  replacementOf(id: string): string | undefined {
    return this.#changed.get(id)
  }

  #align(old: Story, now: Story): void {
    const before = old.paragraphs
    const after = now.paragraphs
    const numberOf = createLineNumbering()
    const a = Int32Array.from(before, own => numberOf(paragraphKey(own)))
    const b = Int32Array.from(after, own => numberOf(paragraphKey(own)))
    const counts = [countsOf(a), countsOf(b)] as const
    const matched = new Map<number, number>()
    let from = 0
    let to = 0
    const match = (until: number) => {
      for (; from < until; from++, to++) matched.set(from, to)
    }
    for (const { aStart, aEnd, bStart, bEnd } of diffLines(a, b)) {
      match(aStart)
      if (aEnd - aStart === bEnd - bStart)
        for (let at = 0; at < aEnd - aStart; at++)
          this.#changed.set(before[aStart + at]!.id, after[bStart + at]!.id)
      from = aEnd
      to = bEnd
    }
    match(before.length)
    for (const [at, other] of matched) {
      const isOnly = counts[0].get(a[at]!) === 1 && counts[1].get(b[other]!) === 1
      const isBetween =
        isNext(matched, at, -1, before.length, after.length) &&
        isNext(matched, at, 1, before.length, after.length)
      if (isOnly || isBetween) this.#ids.set(before[at]!.id, after[other]!.id)
    }
    this.#alignTables(old, now)
  }

  /** A table is the one that holds its first paragraph. */
  #alignTables(old: Story, now: Story): void {
    for (const table of old.tables) {
      const [first] = table.node.all('w:p')
      const id = first && this.#ids.get(old.idOf(first) ?? '')
      const paragraph = id === undefined ? undefined : now.paragraph(id)
      const node = paragraph && tableAround(paragraph)
      const found = node && now.idOf(node)
      if (found !== undefined) this.#ids.set(table.id, found)
    }
  }
}

function tableAround({ node }: Paragraph) {
  return node.closest('w:tbl')
}

function countsOf(ids: Int32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Whether the paragraph beside it is matched beside its match; the ends of a story match each other. */
function isNext(
  matched: ReadonlyMap<number, number>,
  at: number,
  step: 1 | -1,
  oldLength: number,
  newLength: number,
): boolean {
  const other = matched.get(at)! + step
  const own = at + step
  const isOldEnd = own < 0 || own >= oldLength
  const isNewEnd = other < 0 || other >= newLength
  return isOldEnd || isNewEnd ? isOldEnd && isNewEnd : matched.get(own) === other
}
