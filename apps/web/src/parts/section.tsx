import { type Failure, visible } from '@filewright/protocol'

export function FailureNote({ failure }: { failure: Failure }) {
  return (
    <p
      role="alert"
      className="my-3 rounded-md border border-line bg-removed px-3 py-2 text-sm break-words text-removed-ink"
    >
      {visible(failure.message)}
    </p>
  )
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mt-3 list-disc pl-5 text-sm text-danger">
      {warnings.map(warning => (
        <li key={warning}>{visible(warning)}</li>
      ))}
    </ul>
  )
}
