import { type FileKind, fileKind } from './file-kind.ts'

const SHAPES: Readonly<Record<FileKind['look'], { path: string; colour: string }>> = {
  text: { path: 'M3 3.5h10M3 6.5h10M3 9.5h10M3 12.5h6', colour: 'text-muted' },
  table: { path: 'M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3v10', colour: 'text-good' },
  document: { path: 'M3.5 2h6l3 3v9h-9zM9.5 2v3h3M5.5 8h5M5.5 11h5', colour: 'text-accent' },
  slides: { path: 'M2 3h12v8H2zM8 11v3M5 14h6', colour: 'text-code-keyword' },
  picture: { path: 'M2.5 3h11v10h-11zM3 11l3-3.5 2.5 2.5L11 7l2.5 3', colour: 'text-code-title' },
  pages: { path: 'M3.5 2h9v12h-9zM5.5 5h5v3h-5zM5.5 11h5', colour: 'text-danger' },
  other: { path: 'M3.5 2h9v12h-9z', colour: 'text-muted' },
}

/** What kind of file it is, at a glance. */
export function KindIcon({ path }: { path: string }) {
  const { path: shape, colour } = SHAPES[fileKind(path).look]
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`size-3.5 flex-none fill-none stroke-current ${colour}`}
    >
      <path d={shape} strokeWidth="1.2" />
    </svg>
  )
}
