/** What is being looked at. */
export type StageView =
  | { readonly kind: 'start' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'changes' }
  | { readonly kind: 'history' }

const KEY = 'filewright-stage'

/** It is still there after a reload. */
export function keepShown(workspaceId: string, shown: StageView): void {
  sessionStorage.setItem(`${KEY} ${workspaceId}`, JSON.stringify(shown))
}

export function keptShown(workspaceId: string): StageView {
  try {
    const kept = JSON.parse(sessionStorage.getItem(`${KEY} ${workspaceId}`) ?? 'null')
    return kept?.kind ? (kept as StageView) : { kind: 'start' }
  } catch {
    return { kind: 'start' }
  }
}
