import { encodeAttribute, encodeText, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import { XML_DECLARATION } from '../book/new-sheet.ts'
import { type CellAddress, cellName } from '../cell/address.ts'
import type { LiveBook, SheetFrame } from './live-book.ts'
import { dropPart } from './notes.ts'

const PERSONS_TYPE = 'application/vnd.ms-excel.person+xml'
const PERSONS_KIND = 'http://schemas.microsoft.com/office/2017/10/relationships/person'
const SPACE = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments'

/** A conversation at a cell: the first remark and its answers. */
export interface Thread {
  readonly tree: LiveTree
  readonly remarks: readonly LiveNode[]
  /** The first remark of it. */
  readonly id: string
  readonly texts: readonly string[]
}

export function findThread(
  live: LiveBook,
  { part }: SheetFrame,
  at: CellAddress,
): Thread | undefined {
  const cell = cellName(at.row, at.column)
  for (const { kind, target } of live.package.links(part)) {
    const tree = kind === 'threadedComment' ? live.package.findTree(target) : undefined
    const remarks =
      tree?.root.children.filter(
        own => own.name === 'tc:threadedComment' && tree.attribute(own, 'ref') === cell,
      ) ?? []
    const [first] = remarks
    if (!tree || !first) continue
    const texts = remarks.map(own => {
      const text = own.child('tc:text')
      return text ? tree.textOf(text) : ''
    })
    return { tree, remarks, id: tree.attribute(first, 'id') ?? '', texts }
  }
  return undefined
}

export interface Remark {
  readonly id: string
  readonly author: string
  /** The id of the author, where the workbook does not know the person yet. */
  readonly personId: string
  /** ISO 8601 */
  readonly time: string
  readonly text: string
}

/** Adds an answer at the end of a conversation. */
export function answerThread(
  live: LiveBook,
  thread: Thread,
  at: CellAddress,
  remark: Remark,
): void {
  const { tree, remarks, id } = thread
  const person = personOf(live, remark)
  const time = remark.time.replace(/Z$/, '').slice(0, 22)
  tree.after(
    remarks.at(-1)!,
    tree.fragment(
      `<tc:threadedComment ref="${cellName(at.row, at.column)}" dT="${encodeAttribute(time)}" personId="${encodeAttribute(person)}" id="${remark.id}" parentId="${encodeAttribute(id)}"><tc:text>${encodeText(remark.text)}</tc:text></tc:threadedComment>`,
    ),
  )
}

/** The note that old programs show in place of a conversation. */
export function noteOfThread(texts: readonly string[]): string {
  const [first = '', ...answers] = texts
  const intro =
    '[Threaded comment]\n\nYour version of Excel allows you to read this threaded comment; however, any edits to it will get removed if the file is opened in a newer version of Excel. Learn more: https://go.microsoft.com/fwlink/?linkid=870924\n\n'
  return [`${intro}Comment:\n    ${first}`, ...answers.map(text => `Reply:\n    ${text}`)].join(
    '\n',
  )
}

function personOf(live: LiveBook, { author, personId }: Remark): string {
  const known = live.package
    .links(live.package.mainName)
    .find(({ kind }) => kind === 'person')?.target
  const part = known ?? live.package.freeName(`${live.folder}persons/person`, '.xml')
  if (known === undefined) {
    live.package.addPart(part, PERSONS_TYPE, `${XML_DECLARATION}<personList xmlns="${SPACE}"/>`)
    live.package.addLink(live.package.mainName, PERSONS_KIND, part)
  }
  const tree = live.tree(part)
  const same = tree.root.children.find(own => tree.attribute(own, 'displayName') === author)
  const id = tree.attribute(same, 'id')
  if (id !== undefined) return id
  tree.append(
    tree.root,
    tree.fragment(
      `<tc:person displayName="${encodeAttribute(author)}" id="${personId}" userId="${encodeAttribute(author)}" providerId="None"/>`,
    ),
  )
  return personId
}

export function removeThread(live: LiveBook, frame: SheetFrame, { tree, remarks }: Thread): void {
  for (const own of remarks) tree.remove(own)
  if (!tree.root.children.some(({ isText }) => !isText)) dropPart(live, frame, 'threadedComment')
}
