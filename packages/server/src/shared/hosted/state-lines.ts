import type { StateLines } from '../../store/hosted.ts'
import type { PgValue, Postgres } from '../database/postgres.ts'
import { type Fence, write } from './fence.ts'

const MOST_TOGETHER = 500

interface Line {
  readonly position: number
  readonly log: string
  readonly body: string
}

type Step =
  | { readonly line: Line }
  | { readonly write: () => Promise<void> }
  | { readonly read: () => Promise<void> }

interface Waiting {
  readonly step: Step
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * One table holds the logs of all workspaces. A workspace has one writer, which numbers the lines, so a line whose
 * answer was lost is sent again and is there once. Lines that wait for a statement under way go together as the next.
 * After a failure nobody knows what is there, so nothing more is written until the state is opened again.
 */
export async function openStateLines(database: Postgres, fence: Fence): Promise<StateLines> {
  const { workspaceId } = fence
  const waiting: Waiting[] = []
  let next = 1 + (await lastPosition(database, fence))
  let isWorking = false
  let broken: unknown

  /** Everything happens in the order in which it was asked, reads among it. */
  function enqueue(step: Step): Promise<void> {
    return new Promise((done, failed) => {
      waiting.push({ step, done, failed })
      if (!isWorking) void work()
    })
  }

  async function read<Row>(sql: string, values: readonly PgValue[]): Promise<Row[]> {
    let rows: Row[] = []
    const ask = async () => {
      rows = await database.repeat<Row>(sql, [workspaceId, ...values])
    }
    await enqueue({ read: ask })
    return rows
  }

  async function work() {
    isWorking = true
    while (waiting.length > 0) {
      const together = takeTogether(waiting)
      try {
        await take(together.map(({ step }) => step))
        for (const { done } of together) done()
      } catch (error) {
        for (const { failed } of together) failed(error)
      }
    }
    isWorking = false
  }

  async function take(steps: readonly Step[]): Promise<void> {
    const [first] = steps
    if ('read' in first!) return first.read()
    if (broken) throw broken
    try {
      if ('write' in first!) await first.write()
      else await insert(steps.flatMap(step => ('line' in step ? step.line : [])))
    } catch (error) {
      broken = error
      throw error
    }
  }

  function insert(lines: readonly Line[]) {
    return write(
      database,
      fence,
      [
        `added as (insert into state_lines (workspace, position, log, body)
          select home.workspace, line.position, line.log, line.body
          from home, unnest($3::int8[], $4::text[], $5::text[]) as line (position, log, body)
          on conflict do nothing)`,
      ],
      [lines.map(({ position }) => position), lines.map(({ log }) => log), lines.map(toBody)],
    )
  }

  const toLine = (log: string, body: string): Line => ({ position: next++, log, body })

  return {
    get isBroken() {
      return broken !== undefined
    },
    append: (log, body) => enqueue({ line: toLine(log, body) }),
    async read(log) {
      const rows = await read<Pick<Line, 'body'>>(
        'select body from state_lines where workspace = $1 and log = $2 order by position',
        [log],
      )
      return rows.map(toBody)
    },
    async readAll(folder) {
      const rows = await read<Pick<Line, 'log' | 'body'>>(
        'select log, body from state_lines where workspace = $1 and starts_with(log, $2) order by position',
        [`${folder}/`],
      )
      const all = new Map<string, string[]>()
      for (const { log, body } of rows) {
        const name = log.slice(folder.length + 1)
        all.set(name, [...(all.get(name) ?? []), body])
      }
      return all
    },
    async replace(log, bodies) {
      const lines = bodies.map(body => toLine(log, body))
      const positions = lines.map(({ position }) => position)
      const parts = [
        `gone as (delete from state_lines using home
          where state_lines.workspace = home.workspace and log = $3 and position <> all($4::int8[]))`,
        `added as (insert into state_lines (workspace, position, log, body)
          select home.workspace, line.position, $3, line.body
          from home, unnest($4::int8[], $5::text[]) as line (position, body) on conflict do nothing)`,
      ]
      const values = [log, positions, bodies]
      await enqueue({ write: () => write(database, fence, parts, values) })
    },
    async list(folder) {
      const rows = await read<Pick<Line, 'log'>>(
        `select distinct log collate "C" as log from state_lines
         where workspace = $1 and starts_with(log, $2) order by log collate "C"`,
        [`${folder}/`],
      )
      const names = rows.map(({ log }) => log.slice(folder.length + 1).split('/')[0]!)
      return [...new Set(names)]
    },
    async move(from, to) {
      const isThere = `exists (select 1 from state_lines as moving
        where moving.workspace = home.workspace and moving.log = $3)` // not when it runs again
      const parts = [
        `gone as (delete from state_lines using home
          where state_lines.workspace = home.workspace and log = $4 and ${isThere})`,
        `moved as (update state_lines set log = $4 from home
          where state_lines.workspace = home.workspace and log = $3)`,
      ]
      await enqueue({ write: () => write(database, fence, parts, [from, to]) })
    },
    async remove(log) {
      const parts = [
        `gone as (delete from state_lines using home
          where state_lines.workspace = home.workspace and (log = $3 or starts_with(log, $3 || '/')))`,
      ]
      await enqueue({ write: () => write(database, fence, parts, [log]) })
    },
  }
}

/** Lines up to the next thing that is not a line, or that alone. */
function takeTogether(waiting: Waiting[]): Waiting[] {
  const end = waiting.findIndex(({ step }) => !('line' in step))
  const lines = end === -1 ? waiting.length : end
  return waiting.splice(0, Math.max(1, Math.min(lines, MOST_TOGETHER)))
}

function toBody({ body }: Pick<Line, 'body'>): string {
  return body
}

async function lastPosition(database: Postgres, { workspaceId }: Fence): Promise<number> {
  const [row] = await database.repeat<{ last: number | null }>(
    'select max(position) as last from state_lines where workspace = $1',
    [workspaceId],
  )
  return row!.last ?? 0
}
