import { type LeftOut as LeftOutFiles, visible } from '@filewright/protocol'

/** So many are read at a glance; more are shown when they are asked for. */
const FEW = 5

/** Files in the folder that no tool can use; without this, the list would suggest they do not exist. */
export function LeftOut({ leftOut: { total, first } }: { leftOut: LeftOutFiles }) {
  const isOne = total === 1
  return (
    <details open={total <= FEW} className="mt-3 text-sm text-muted">
      <summary className="cursor-pointer">
        Not listed: {isOne ? 'one more is' : `${total} more are`} in this folder, and no tool can
        use {isOne ? 'it' : 'them'}.
      </summary>
      <ul className="mt-1 list-disc pl-6">
        {first.map(({ path, reason }) => (
          <li key={path} className="break-words">
            <span className="text-ink">{visible(path)}</span>: {reason}
          </li>
        ))}
        {total > first.length && <li>and {total - first.length} others</li>}
      </ul>
    </details>
  )
}
