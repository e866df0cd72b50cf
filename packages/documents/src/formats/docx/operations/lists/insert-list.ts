import { counted } from '@filewright/protocol'
import { encodeAttribute, type LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor, modelBeside } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import {
  makeParagraph,
  modelInStyle,
  modelOf,
  type ParagraphModel,
} from '../../edit/new-paragraph.ts'
import { ensureProperties, removeProperty, setProperty } from '../../edit/properties.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import { type ListPlace, listPlaceOf } from '../../story/labels.ts'
import { paragraphAt, paragraphById, placeOf, readForLook } from '../../story/places.ts'
import type { Paragraph } from '../../story/story.ts'
import { listLike, newList } from './list-numbering.ts'

const DEEPEST = 8

type NewList = DocumentArgs<'insert_list'>

interface Item {
  readonly text: string
  readonly level: number
}

/** Each item is a change of its own: one that is refused moves no other. */
export function insertList(editor: DocumentEditor, args: DocumentArgs<'insert_list'>) {
  const items = args.items.map(toItem)
  const anchor = blockAnchorFor(editor, args)
  const look = lookFor(editor, anchor, args)
  const list = { numId: undefined as string | undefined }
  const ids: string[] = []
  let last: LiveNode | undefined
  for (const item of items) {
    const id = editor.newId()
    const { tree } = anchor.story
    const node = makeParagraph(tree, look.models[item.level] ?? look.models[0]!, item.text)
    const done = editor.change(
      {
        kind: 'paragraph',
        place: placeOf(id),
        keys: [id],
        reads: [anchor.id, ...look.reads],
        before: null,
        after: () => ({
          text: `${'  '.repeat(item.level)}${look.isOrdered ? '1.' : '•'} ${item.text}`,
        }),
        description: `${anchor.side} ${anchor.id}`,
      },
      () => {
        list.numId ??= look.number()
        number(node, item.level, list.numId)
        anchor.story.assign(node, id)
        if (last) tree.after(last, [node])
        else if (anchor.side === 'before') tree.before(anchor.node, [node])
        else tree.after(anchor.node, [node])
        last = node
        if (editor.tracking) trackInserted(tree, node, editor.tracking)
        return true
      },
    )
    if (done) ids.push(id)
  }
  return {
    op: 'insert_list',
    message: `Inserted a ${look.isOrdered ? 'numbered' : 'bulleted'} list of ${counted(ids.length, 'item')} ${anchor.side} ${anchor.id}${look.source}.`,
    paragraphs: ids,
  }

  function number(node: LiveNode, level: number, numId: string): void {
    const { tree } = anchor.story
    const own = ensureProperties(tree, node)
    if (level !== look.level(level)) removeProperty(tree, own, 'w:ind')
    setProperty(
      tree,
      own,
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${encodeAttribute(numId)}"/></w:numPr>`,
    )
  }
}

interface ListLook {
  readonly isOrdered: boolean
  /** By level: how its paragraphs look; the first serves for others. */
  readonly models: readonly (ParagraphModel | undefined)[]
  /** The level for which the model of a level was made. */
  readonly level: (level: number) => number
  /** The list that the items belong to. */
  readonly number: () => string
  readonly source: string
  readonly reads: readonly string[]
}

/** Like the list that is named, else the nearest of the same kind, else in the document's style for lists. */
function lookFor(editor: DocumentEditor, anchor: BlockAnchor, args: NewList): ListLook {
  const { manuscript } = editor
  const { start } = args
  const found =
    args.style === undefined
      ? editor.resolve('like', () => nearestList(editor, anchor, args) ?? null)
      : null
  if (found === null) return freshLook(editor, anchor, args)
  const model = paragraphById(manuscript, found)
  const own = placeIn(editor, model)!
  const isOrdered = isNumbered(own)
  const models = Array.from({ length: DEEPEST + 1 }, (_, level) =>
    level === own.level ? modelOf(model) : levelModel(editor, model, own, level),
  )
  return {
    isOrdered,
    models: models.map(each => each ?? modelOf(model)),
    level: level => (models[level] ? level : own.level),
    number: () => (isOrdered ? listLike(manuscript, own.list, start) : own.list.numId),
    source: `, like ${found}`,
    reads: readForLook(found),
  }
}

/** A paragraph of the same list at another level. */
function levelModel(
  editor: DocumentEditor,
  { story }: Paragraph,
  { list }: ListPlace,
  level: number,
): ParagraphModel | undefined {
  const found = story.paragraphs.find(own => {
    const place = placeIn(editor, own)
    return place?.list.abstractId === list.abstractId && place.level === level
  })
  return found && modelOf(found)
}

function freshLook(
  editor: DocumentEditor,
  anchor: BlockAnchor,
  { ordered, style, start }: NewList,
): ListLook {
  const { manuscript } = editor
  const isOrdered = ordered === true
  const { styles } = manuscript
  const name =
    style !== undefined
      ? style
      : (isOrdered ? ['List Number', 'List Paragraph'] : ['List Bullet', 'List Paragraph']).find(
          own => styles.find(own, 'paragraph'),
        )
  const model =
    name !== undefined
      ? modelInStyle(manuscript, anchor.story, name)
      : modelBeside(manuscript, anchor)
  const styleId = name === undefined ? undefined : styles.find(name, 'paragraph')?.id
  return {
    isOrdered,
    models: [model],
    level: () => -1,
    number: () => newList(manuscript, isOrdered, styleId, start),
    source: name === undefined ? '' : `, in the style ${name}`,
    reads: [],
  }
}

function nearestList(
  editor: DocumentEditor,
  { story, node }: BlockAnchor,
  { like, ordered: wanted }: NewList,
): string | undefined {
  if (like !== undefined) {
    const named = paragraphAt(editor.manuscript, like, 'first')
    if (placeIn(editor, named)) return named.id
    throw invalid(`${named.id} is in no list; name a list item as like, or leave it out`)
  }
  const at = story.paragraphs.findIndex(own => own.node === node || own.node.parent === node)
  const near = story.paragraphs
    .map((own, index) => ({ own, far: Math.abs(index - Math.max(at, 0)) }))
    .sort((a, b) => a.far - b.far)
  return near.find(({ own }) => {
    const place = placeIn(editor, own)
    if (!place || story.rank(own).heading !== undefined) return false
    return wanted === undefined ? !isNumbered(place) : isNumbered(place) === wanted
  })?.own.id
}

function placeIn({ manuscript }: DocumentEditor, { story, node }: Paragraph) {
  return listPlaceOf(story.tree, node, manuscript.styles, manuscript.numbering)
}

function isNumbered({ list, level }: ListPlace): boolean {
  const format = list.levels[level]?.format ?? 'decimal'
  return format !== 'bullet' && format !== 'none'
}

function toItem(item: NewList['items'][number]): Item {
  return typeof item === 'string' ? { text: item, level: 0 } : { level: 0, ...item }
}
