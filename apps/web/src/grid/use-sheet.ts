import type { Failure, GridLook, SheetGrid, SheetGridCell } from '@filewright/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Api } from '../api.ts'
import { columnName } from './column-name.ts'
import type { DrawnCell, GridSource, MergedCells } from './grid-source.ts'

export interface SheetOrigin {
  readonly api: Api
  readonly workspaceId: string
  readonly draftId?: string
}

export interface DrawnSheet extends GridSource {
  /** Its name, and its neighbours: known once the first cells are here. */
  readonly name?: string
  /** Without the empty ones behind the content. */
  readonly usedRows: number
  readonly sheets: readonly string[]
  /** What of the file is not drawn, in words. */
  readonly undrawn: readonly string[]
  readonly failure?: Failure
}

const BLOCK = 100 // rows that are asked for at once
const ROOM = 20 // empty rows and columns behind the content
const WAIT_MS = 40 // who scrolls past is not served

/** The cells of a sheet, loaded in blocks as they come into view. */
export function useSheet(
  { api, workspaceId, draftId }: SheetOrigin,
  path: string,
  sheet: string | undefined,
  pulse?: unknown,
): DrawnSheet {
  const [state, setState] = useState<{ loader?: SheetLoader; version: number }>({ version: 0 })
  const before = useRef<SheetLoader>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    const ask: AskGrid = range =>
      api.call('grid', {
        params: { workspaceId },
        query: { path, sheet, range, draftId },
        signal: stop.signal,
      })
    const loader = createLoader(ask, () => {
      if (stop.signal.aborted) return
      before.current = loader
      setState(({ version }) => ({ loader, version: version + 1 }))
    })
    return () => stop.abort()
  }, [api, workspaceId, draftId, path, sheet, pulse])
  const { loader } = state
  return useMemo(() => (loader ? loader.toSheet() : NOTHING), [loader, state])
}

const NOTHING: DrawnSheet = {
  rows: 0,
  usedRows: 0,
  columns: 0,
  cell: () => undefined,
  sheets: [],
  undrawn: [],
}

type AskGrid = (
  range?: string,
) => Promise<{ ok: true; value: SheetGrid } | { ok: false; failure: Failure }>

interface SheetLoader {
  toSheet(): DrawnSheet
}

function createLoader(ask: AskGrid, onLoaded: () => void): SheetLoader {
  const cells = new Map<number, DrawnCell>()
  const merges = new Map<string, MergedCells>()
  const sizes = { columns: new Map<number, number>(), rows: new Map<number, number>() }
  const asked = new Set<number>()
  let grid: SheetGrid | undefined
  let failure: Failure | undefined
  let timer: ReturnType<typeof setTimeout>

  function take(answer: SheetGrid): void {
    grid ??= answer
    for (const cell of answer.cells) cells.set(keyOf(cell.row, cell.column), toCell(cell, answer))
    for (const { top, left, bottom, right } of answer.merges)
      merges.set(`${top} ${left}`, {
        row: top - 1,
        column: left - 1,
        rows: bottom - top + 1,
        columns: right - left + 1,
      })
    for (const axis of ['columns', 'rows'] as const)
      for (const { from, to, size, hidden } of answer[axis])
        for (let at = from; at <= Math.min(to, from + 20_000); at++)
          sizes[axis].set(at - 1, hidden ? 0 : size)
  }

  async function load(block: number): Promise<void> {
    const last = columnName(Math.max(0, (grid?.used?.right ?? 1) - 1))
    let from = block * BLOCK + 1
    const to = Math.min((block + 1) * BLOCK, grid?.used?.bottom ?? 0)
    while (from <= to) {
      const answer = await ask(`A${from}:${last}${to}`)
      if (!answer.ok) return void asked.delete(block)
      take(answer.value)
      if (answer.value.box.bottom < from) return
      from = answer.value.box.bottom + 1
    }
    onLoaded()
  }

  function need(first: number, last: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
        if (asked.has(block) || !grid) continue
        asked.add(block)
        load(block)
      }
    }, WAIT_MS)
  }

  ask().then(answer => {
    if (answer.ok) take(answer.value)
    else failure = answer.failure
    onLoaded()
  })

  return {
    toSheet: () => ({
      name: grid?.sheet,
      sheets: (grid?.sheets ?? []).flatMap(({ name, visibility }) =>
        visibility === 'visible' ? name : [],
      ),
      undrawn: grid?.undrawn ?? [],
      failure,
      rows: (grid?.used?.bottom ?? 0) + ROOM,
      usedRows: grid?.used?.bottom ?? 0,
      columns: (grid?.used?.right ?? 0) + ROOM / 4,
      cell: (row, column) => cells.get(keyOf(row + 1, column + 1)),
      need,
      width: column => wider(sizes.columns.get(column) ?? grid?.defaults.width),
      height: row => sizes.rows.get(row),
      merges: [...merges.values()],
    }),
  }
}

const OUR_FONT = 1.12 // as wide as the fonts that widths are measured in

function wider(width: number | undefined): number | undefined {
  return width === undefined ? undefined : width * OUR_FONT
}

function keyOf(row: number, column: number): number {
  return row * 20_000 + column
}

const RIGHT = new Set(['number', 'date'])

function toCell(
  { text, type, look, formula, over, hidesText }: SheetGridCell,
  { looks }: SheetGrid,
): DrawnCell {
  const own: GridLook = { ...(look === undefined ? {} : looks[look]), ...over }
  const align = alignOf(own.align, type)
  return {
    text: hidesText ? '' : text,
    ...(formula !== undefined && { formula }),
    ...(align && { align }),
    ...(own.bold && { isBold: true }),
    ...(own.italic && { isItalic: true }),
    ...(own.fill && { fill: `#${own.fill}`, color: `#${own.color ?? '000000'}` }),
    ...(own.color &&
      own.fill === undefined &&
      own.color !== '000000' && { color: `#${own.color}` }),
    ...(own.wrap && { wraps: true }),
  }
}

function alignOf(align: string | undefined, type: string): DrawnCell['align'] {
  if (align === 'right' || align === 'center' || align === 'left') return align
  if (RIGHT.has(type)) return 'right'
  return type === 'boolean' || type === 'error' ? 'center' : undefined
}
