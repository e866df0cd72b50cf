import type { DocumentPackage } from '../parts/document-package.ts'
import { Numbering } from '../parts/numbering.ts'
import { StyleSheet } from '../parts/styles.ts'
import { highestId } from './revision-ids.ts'
import { Story } from './story.ts'

/** The document as text: its stories, and the styles and lists that they use. */
export class Manuscript {
  readonly package: DocumentPackage
  readonly #stories = new Map<string, Story>()
  #names: { readonly version: number; readonly names: ReadonlyMap<string, string> } | undefined
  #styles: { readonly version: number; readonly value: StyleSheet } | undefined
  #numbering: { readonly version: number; readonly value: Numbering } | undefined

  #lastId: number | undefined

  constructor(own: DocumentPackage) {
    this.package = own
  }

  get body(): Story {
    return this.story('body')!
  }

  /** `body`, `header1`, `footer2`, `footnotes`, `endnotes`, `comments`: whatever the document has. */
  get storyNames(): readonly string[] {
    return [...this.#partNames().keys()]
  }

  get stories(): readonly Story[] {
    return this.storyNames.flatMap(name => this.story(name) ?? [])
  }

  /** Undefined where the document has none, or where its part cannot be read. */
  story(name: string): Story | undefined {
    const part = this.#partNames().get(name)
    const tree = this.package.findTree(part)
    const known = this.#stories.get(name)
    if (known && known.tree === tree) return known
    if (!tree || part === undefined) return undefined
    const root = name === 'body' ? tree.root.child('w:body') : tree.root
    if (!root) return undefined
    const story = new Story(name, part, tree, root, this)
    this.#stories.set(name, story)
    return story
  }

  get styles(): StyleSheet {
    const version = this.package.linkedTree('styles')?.version ?? -1
    if (this.#styles?.version !== version)
      this.#styles = { version, value: new StyleSheet(this.package) }
    return this.#styles.value
  }

  get numbering(): Numbering {
    const version = this.package.linkedTree('numbering')?.version ?? -1
    if (this.#numbering?.version !== version)
      this.#numbering = { version, value: new Numbering(this.package) }
    return this.#numbering.value
  }

  /** An id for a tracked change or a bookmark that occurs in no part. */
  freeRevisionId(): number {
    this.#lastId = (this.#lastId ?? highestId(this.stories)) + 1
    return this.#lastId
  }

  /** Ids count from what is in the document now: the same in every replay, whatever was undone before. */
  beginOperation(): void {
    this.#lastId = undefined
  }

  #partNames(): ReadonlyMap<string, string> {
    const version = this.package.version
    if (this.#names?.version === version) return this.#names.names
    const names = new Map([['body', this.package.mainName]])
    for (const { kind, target, isExternal } of this.package.links(this.package.mainName))
      if (STORY_KINDS.has(kind) && !isExternal && this.package.has(target))
        names.set(storyNameOf(target), target)
    this.#names = { version: this.package.version, names }
    return names
  }
}

const STORY_KINDS: ReadonlySet<string> = new Set([
  'header',
  'footer',
  'footnotes',
  'endnotes',
  'comments',
])

/** `header1` for `word/header1.xml`. */
function storyNameOf(part: string): string {
  return part
    .slice(part.lastIndexOf('/') + 1)
    .replace(/\.xml$/i, '')
    .toLowerCase()
}
