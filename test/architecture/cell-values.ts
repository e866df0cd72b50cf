import type { Source } from './sources.ts'

const xlsx = 'packages/documents/src/formats/xlsx/'
/** Rooms that decide by what cells show, or tell it. */
const rooms = ['conditional', 'looks', 'objects', 'operations', 'rebase', 'shift', 'table', 'view']

/** The side of a change that the file has. */
const mayReadStored = `${xlsx}operations/editor.ts`

const otherWays: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bvalues\s*\.\s*(?:results|stale)\b/, 'what was computed'],
  [/\bimport\s*\{[^}]*\bcontentOf\b[^}]*\}\s*from\s*'[^']*\/cells\.ts'/, 'what the file stores'],
]

/** A look at a value past the book's values, which alone know what a cell shows after the edits. */
export function valueFaults(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => rooms.some(room => path.startsWith(`${xlsx}${room}/`)))
    .flatMap(({ path, code }) =>
      [...otherWays, ...(path === mayReadStored ? [] : [STORED])]
        .filter(([pattern]) => pattern.test(code))
        .map(
          ([, what]) =>
            `${path} looks at ${what}: ask book.values, which follow every edit (ARCHITECTURE §3).`,
        ),
    )
}

const STORED = [/\.\s*stored\b/, 'what the file stores'] as const
