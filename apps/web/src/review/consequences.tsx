import { type Consequence, toSideTexts } from '@filewright/protocol'

const SHOWN = 20

/** Results of formulas that follow from the changes: shown, with nothing to decide. */
export function Consequences({ consequences }: { consequences: readonly Consequence[] }) {
  if (consequences.length === 0) return null
  const more = consequences.length - SHOWN
  return (
    <section className="mt-4" aria-label="Results that follow">
      <h4 className="text-muted">Results that follow</h4>
      <ul>
        {consequences.slice(0, SHOWN).map(({ path, place, before, after }) => {
          const texts = toSideTexts(before, after)
          return (
            <li key={`${path} ${place}`}>
              {place}: {texts.before ?? '(none)'} → {texts.after ?? '(computed on opening)'}
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className="text-muted">and {more} more</p>}
    </section>
  )
}
