import { counted } from '@filewright/protocol'
import { useState } from 'react'

/** The first of many; each time as many again, so that a page stays quick whatever it is given. */
export function useMore<Item>(items: readonly Item[], first: number) {
  const [bound, setBound] = useState(first)
  return {
    shown: items.slice(0, bound),
    left: Math.max(0, items.length - bound),
    showMore: () => setBound(bound * 2),
  }
}

/** Says how much is not shown, and shows more of it. */
export function More({ left, of, onMore }: { left: number; of: string; onMore: () => void }) {
  if (left === 0) return null
  return (
    <button
      type="button"
      className="w-full px-3 py-2 text-left text-sm text-accent underline"
      onClick={onMore}
    >
      {counted(left, `more ${of}`)}: show more
    </button>
  )
}
