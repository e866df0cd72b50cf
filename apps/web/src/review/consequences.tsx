import { type Consequence, toSideTexts, visible } from '@filewright/protocol'

const SHOWN = 20

/** Results of formulas that follow from the changes: shown, with nothing to decide. */
export function Consequences({ consequences }: { consequences: readonly Consequence[] }) {
  if (consequences.length === 0) return null
  const more = consequences.length - SHOWN
  const isOneFile = new Set(consequences.map(({ path }) => path)).size === 1
  return (
    <section className="mt-4 text-sm" aria-label="Results that follow">
      <h4 className="font-semibold">
        Results that follow{isOneFile && ` in ${visible(consequences[0]!.path)}`}
      </h4>
      <p className="text-muted">Formulas that give something else after these changes.</p>
      <ul>
        {consequences.slice(0, SHOWN).map(({ path, place, before, after }) => {
          const texts = toSideTexts(before, after)
          return (
            <li key={`${path} ${place}`} className="keep-inside">
              {!isOneFile && `${visible(path)}, `}
              {visible(place)}: {texts.before ?? '(none)'} →{' '}
              {texts.after ?? '(computed on opening)'}
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className="text-muted">and {more} more</p>}
    </section>
  )
}
