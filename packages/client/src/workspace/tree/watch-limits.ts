export interface WatchLimits {
  /** Folders that the system watches for us. */
  readonly folders: number
  /** Names with events that are not yet looked at. More: everything is looked at anew. */
  readonly events: number
  /** Files and folders whose times are looked at per second, where the system does not watch. */
  readonly looks: number
}

export const WATCH_LIMITS: WatchLimits = {
  folders: 16_384, // the system's watchers are shared by all programs of a user
  events: 10_000,
  looks: 2_000,
}
