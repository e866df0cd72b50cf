import { toChangeId } from '@filewright/protocol'

/**
 * How a log names what it found: `@256` a slide by its id, `@256/4` a shape, `@256/4/2,1` the cell of a table (row and
 * column from 1), `@256/notes/3` a shape of the notes. Ids stay while slides are added, moved and deleted.
 */
export interface Ref {
  readonly slide: string
  readonly isNotes: boolean
  readonly shape?: string
  readonly cell?: readonly [number, number]
}

const REF = /^@([\w~]+)(?:\/(notes))?(?:\/([\w~]+))?(?:\/(\d+),(\d+))?$/

export function parseRef(text: string): Ref | undefined {
  const [, slide, notes, shape, row, column] = REF.exec(text) ?? []
  if (slide === undefined) return undefined
  return {
    slide,
    isNotes: notes !== undefined,
    ...(shape !== undefined && { shape }),
    ...(row !== undefined && { cell: [Number(row), Number(column)] as const }),
  }
}

export function toRef({ slide, isNotes, shape, cell }: Ref): string {
  return `@${slide}${isNotes ? '/notes' : ''}${shape === undefined ? '' : `/${shape}`}${cell ? `/${cell[0]},${cell[1]}` : ''}`
}

const FIRST_NEW = 1_000_000
const NEW_IDS = 1_000_000_000

/** An id for something that an operation makes: the same in every replay, and none that another program would choose. */
export function newNumber(toolCallId: string, index: number, number: number): number {
  const hash = toChangeId(toolCallId, index, `new ${number}`).slice('chg_'.length)
  return FIRST_NEW + (Number.parseInt(hash.slice(0, 12), 16) % NEW_IDS)
}
