import { type DocPath, fail } from '@filewright/protocol'

export function missing(docPath: DocPath, spelling: string) {
  return fail('NOT_FOUND', `Cannot find "${spelling}": the workspace has no such file.`, {
    details: { docPath },
  })
}

export function refuseLink(spelling: string, link: string, direct?: string) {
  return fail(
    'InvalidPath',
    `Cannot use "${spelling}": "${link}" is a link to another folder. Nothing was read or written. Use ${direct === undefined ? 'the path without the link' : `"${direct}"`}.`,
    direct === undefined ? {} : { details: { direct } },
  )
}

/** Not a place for a new file: a link is never replaced, and its target does not exist. */
export function refuseNowhere(path: string) {
  return fail(
    'InvalidPath',
    `Cannot use "${path}": it is a link that leads nowhere. Nothing was read or written. Use another name, or ask the person to remove the link.`,
  )
}

export function refuseReserved(spelling: string) {
  return fail(
    'InvalidPath',
    `Cannot use "${spelling}": names that begin with ".filewright~" are reserved for files being written. Use another name.`,
  )
}

export function refuseClosed(spelling: string) {
  return fail(
    'InvalidPath',
    `Cannot use "${spelling}": no tool may read or write where Filewright keeps its state or the system exposes its processes and devices. Nothing was read or written.`,
  )
}
