import { type ChangeSide, ok, type Result } from '@filewright/protocol'
import { DiffChanges, type FileDiff } from '../../diff-changes.ts'
import type { DocumentName } from '../../format.ts'
import { createLineNumbering, diffLines } from '../text/diff/line-diff.ts'
import { DocumentPackage } from './parts/document-package.ts'
import { renderForm } from './story/form.ts'
import { Manuscript } from './story/manuscript.ts'
import { paragraphKey } from './story/paragraph-key.ts'
import { placeOf } from './story/places.ts'
import type { Paragraph, Story } from './story/story.ts'
import { describeLook } from './view/describe-look.ts'

/** How two versions of a document differ, as a person reviews it: paragraph by paragraph, in every story. */
export function diffDocuments(
  before: Uint8Array,
  after: Uint8Array,
  name: DocumentName,
): Result<FileDiff> {
  const old = DocumentPackage.open(before)
  if (!old.ok) return old
  const now = DocumentPackage.open(after)
  if (!now.ok) return now
  const diff = new Diff(new Manuscript(old.value), new Manuscript(now.value), name)
  return ok(diff.run())
}

class Diff {
  readonly #old: Manuscript
  readonly #now: Manuscript
  readonly #changes: DiffChanges

  constructor(old: Manuscript, now: Manuscript, name: DocumentName) {
    this.#old = old
    this.#now = now
    this.#changes = new DiffChanges(name)
  }

  run(): FileDiff {
    for (const name of new Set([...this.#old.storyNames, ...this.#now.storyNames]))
      this.#compare(this.#old.story(name), this.#now.story(name))
    return this.#changes.result
  }

  #compare(old: Story | undefined, now: Story | undefined): void {
    const before = old?.paragraphs ?? []
    const after = now?.paragraphs ?? []
    const numberOf = createLineNumbering()
    const ids = (list: readonly Paragraph[]) =>
      Int32Array.from(list, own => numberOf(paragraphKey(own)))
    for (const { aStart, aEnd, bStart, bEnd } of diffLines(ids(before), ids(after))) {
      const pairs = Math.min(aEnd - aStart, bEnd - bStart)
      for (let at = 0; at < pairs; at++) this.#pair(before[aStart + at]!, after[bStart + at]!)
      for (const own of before.slice(aStart + pairs, aEnd))
        this.#add('paragraph', own, this.#side(this.#old, own), null)
      for (const own of after.slice(bStart + pairs, bEnd))
        this.#add('paragraph', own, null, this.#side(this.#now, own))
    }
  }

  #pair(before: Paragraph, after: Paragraph): void {
    const old = this.#side(this.#old, before)
    const now = this.#side(this.#now, after)
    if (old.text !== now.text) return this.#add('paragraph', after, old, now)
    const format = (manuscript: Manuscript, own: Paragraph) => ({
      format: describeLook(manuscript, own),
    })
    const [oldLook, nowLook] = [format(this.#old, before), format(this.#now, after)]
    this.#add('format', after, { ...old, ...oldLook }, { ...now, ...nowLook })
  }

  #side(manuscript: Manuscript, own: Paragraph): ChangeSide & { readonly text: string } {
    return { text: renderForm(manuscript.package, own.story, own, 'marked') }
  }

  #add(kind: string, { id }: Paragraph, before: ChangeSide | null, after: ChangeSide | null): void {
    this.#changes.add(kind, placeOf(id), before, after)
  }
}
