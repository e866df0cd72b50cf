import { type ReactNode, useId } from 'react'

export const PLACES = ['files', 'stage', 'conversation'] as const
export type PlaceName = (typeof PLACES)[number]

const TITLES: Readonly<Record<PlaceName, string>> = {
  files: 'Files',
  stage: 'Stage',
  conversation: 'Conversation',
}

/** Three places that are always there: beside each other, or as tabs where there is little room. */
export function Places({
  place,
  onPlace,
  children,
}: {
  /** The one in view on a narrow screen. */
  place: PlaceName
  onPlace: (place: PlaceName) => void
  children: Readonly<Record<PlaceName, ReactNode>>
}) {
  const id = useId()
  return (
    <>
      <div
        role="tablist"
        aria-label="Places"
        className="flex flex-none border-b border-line bg-card wide:hidden"
      >
        {PLACES.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === place}
            aria-controls={`${id}-${name}`}
            className={`flex-1 border-b-2 px-2 py-2 text-sm ${name === place ? 'border-accent font-medium' : 'border-transparent text-muted'}`}
            onClick={() => onPlace(name)}
          >
            {TITLES[name]}
          </button>
        ))}
      </div>
      <main className="places min-h-0 flex-1">
        {PLACES.map(name => (
          <section
            key={name}
            id={`${id}-${name}`}
            aria-label={TITLES[name]}
            className={`min-h-0 min-w-0 flex-col wide:flex ${name === place ? 'flex' : 'hidden'} ${LOOKS[name]}`}
          >
            {children[name]}
          </section>
        ))}
      </main>
    </>
  )
}

const LOOKS: Readonly<Record<PlaceName, string>> = {
  files: 'wide:border-r border-line bg-card',
  stage: 'bg-paper',
  conversation: 'wide:border-l border-line bg-card',
}
