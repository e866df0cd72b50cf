import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, readCorpusFile } from '../../../corpus.contract.ts'
import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import { type Revision, revisionsOf } from '../view/revisions.ts'
import { ALLOWED, DOCUMENTS } from './corpus-edit.contract.ts'
import { randomFrom, randomTrackedOperation, sceneOf } from './random-edits.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const AUTHOR = 'Filewright test'
const SMALL = 28_000 // bytes: a quick run takes small files only
const files = DOCUMENTS.filter(({ features }) => features.some(own => /^track-/.test(own))).filter(
  ({ size }) => IS_FULL || size < SMALL,
)

/** The document with tracked changes of ours beside those it has. */
function withOurs(bytes: Uint8Array, seed: number): Uint8Array {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  const random = randomFrom(seed)
  for (let turn = 0; turn < 6; turn++) {
    const operation = randomTrackedOperation(sceneOf(document), random)
    document.apply(logged([{ ...operation, track: { author: AUTHOR } }], `tc_${turn}`), ALLOWED)
  }
  return toBytes(unwrap(document.content()), bytes)
}

function revisions(bytes: Uint8Array): readonly Revision[] {
  return unwrap(DocxDocument.open(bytes, NAME)).manuscript.stories.flatMap(revisionsOf)
}

function bytesOf({ node, story }: Revision): string {
  const { start, end } = node.source!
  return Buffer.from(story.tree.base.subarray(start, end)).toString('utf8')
}

/** Whether a change of that author stands in it, or takes it along: text, a row or a mark that goes. */
function isTouched({ node, story }: Revision, author: string): boolean {
  const { tree } = story
  const isTheirs = (own: LiveNode | undefined) => tree.attribute(own, 'w:author') === author
  for (const own of below(node)) if (isTheirs(own)) return true
  for (let at = node.parent; at; at = at.parent) {
    if (isTheirs(at) || marksOf(tree, at).some(isTheirs)) return true
  }
  return false
}

/** The changes that are recorded in the properties of a paragraph, a row or a cell. */
function marksOf(tree: LiveTree, node: LiveNode): LiveNode[] {
  const properties = node.child(`${node.name}Pr`)
  return [...(properties ? below(properties) : [])].filter(
    own => tree.attribute(own, 'w:author') !== undefined,
  )
}

function* below(node: LiveNode): Generator<LiveNode> {
  for (const child of node.children) {
    yield child
    yield* below(child)
  }
}

describe.skipIf(!hasCorpus)("real documents with people's tracked changes", () => {
  test.each(files)("$file: settled by author, the others' marks keep every byte", file => {
    const bytes = withOurs(readCorpusFile(file), file.size)
    const before = revisions(bytes)
    const authors = [...new Set(before.map(({ author }) => author))]
    for (const author of authors.slice(0, 6))
      for (const op of ['accept_revisions', 'reject_revisions']) {
        const document = unwrap(DocxDocument.open(bytes, NAME))
        unwrap(document.apply(logged([{ op, author }]), ALLOWED))
        const after = revisions(toBytes(unwrap(document.content()), bytes))
        expect(after.filter(own => own.author === author)).toEqual([])
        const left = after.map(bytesOf)
        for (const own of before) {
          // a changed grid has no author, and goes with its table
          if (own.author === author || own.author === '' || isTouched(own, author)) continue
          const at = left.indexOf(bytesOf(own))
          expect(at, `${op} ${author}: ${bytesOf(own).slice(0, 300)}`).toBeGreaterThanOrEqual(0)
          left.splice(at, 1)
        }
      }
  })

  test('there are such documents', () => {
    expect(files.length).toBeGreaterThan(3)
  })
})
