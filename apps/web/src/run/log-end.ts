/** Within this many pixels of its end the list follows what is added to it. */
const NEAR_END = 60

/** Whether the end of the log stays in view, and where its top was when that was decided. */
export type LogEnd = { readonly isFollowed: boolean; readonly top: number }

export type LogBox = {
  readonly scrollHeight: number
  readonly scrollTop: number
  readonly clientHeight: number
}

/**
 * After a scroll. The log may have grown between our own scroll to its end and this event: then the end is far below and
 * nobody has moved. Only a person scrolls up.
 */
export function afterScroll(before: LogEnd, box: LogBox): LogEnd {
  const wentUp = box.scrollTop < before.top
  const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END
  return { isFollowed: isNear || (before.isFollowed && !wentUp), top: box.scrollTop }
}
