import { Exit, unwrapOrExit } from '@filewright/host'
import { EXIT_CODES, type ExecutedFile, type Failure, type Result } from '@filewright/protocol'

/** Files that other programs execute and that nobody named yet. */
export function executedIn({ details }: Failure): readonly ExecutedFile[] {
  return (details?.executed as readonly ExecutedFile[] | undefined) ?? []
}

/** Where a person has to name a file first, the command ends like any other that waits for a person. */
export function unwrapNamed<Value>(result: Result<Value>): Value {
  if (!result.ok && executedIn(result.failure).length > 0)
    throw new Exit(EXIT_CODES.waiting, result.failure.message)
  return unwrapOrExit(result)
}
