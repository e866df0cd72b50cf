/** What this session knows of a file that the editor has open. */
export interface FollowedFile {
  /** Texts that the disk had, as far as this session saw. */
  readonly seen: Set<string>
  /** The text of the disk when the editor had the same. */
  base?: string
  /** What the editor has and the disk has not. */
  unsaved?: string
  /** The person named it: it stays active when its text is saved. */
  isNamed: boolean
}
