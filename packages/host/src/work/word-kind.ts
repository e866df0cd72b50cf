/** What a word of the command line names: a shell completes it from what there is. */
export type WordKind =
  | 'approvals'
  | 'changes'
  | 'drafts'
  | 'models'
  | 'rules'
  | 'sessions'
  | 'shells'
  | 'tools'
  | 'topics'
