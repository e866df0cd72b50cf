import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { OfficeProgram } from '@filewright/engine'
import type { Config } from './config.ts'

const NONE = 'none'
const NAMES = ['soffice', 'libreoffice']
const USUAL_FOLDERS = [
  '/usr/lib/libreoffice/program',
  '/usr/lib64/libreoffice/program',
  '/opt/libreoffice/program',
  '/usr/local/bin',
]

/** As it is set; else in the folders of programs and where it usually is. Undefined: it is not there. */
export function findOffice({
  office,
  programFolders,
}: Pick<Config, 'office' | 'programFolders'>): OfficeProgram | undefined {
  if (office === NONE) return undefined
  if (office !== undefined) return findAt(office)
  for (const folder of [...programFolders, ...USUAL_FOLDERS])
    for (const name of NAMES) {
      const found = findAt(join(folder, name))
      if (found) return found
    }
  return undefined
}

function findAt(path: string): OfficeProgram | undefined {
  try {
    accessSync(path, constants.X_OK)
    if (!statSync(path).isFile()) return undefined
    const program = realpathSync(path)
    return { program, folders: installedIn(program) }
  } catch {
    return undefined
  }
}

/** LibreOffice has its programs in a folder of that name. Around any other file may be anything, such as a home. */
function installedIn(program: string): readonly string[] {
  const folder = dirname(program)
  return basename(folder) === 'program' ? [dirname(folder)] : []
}
