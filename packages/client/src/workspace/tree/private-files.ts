import { type DocPath, toShellWord } from '@filewright/protocol'
import { splitPath } from '../paths/split-path.ts'

/** CONTRACT §2: key files, by exact names and endings. They are listed, but read only when a person allows it. */
const NAMES = new Set([
  '.env',
  '.env.local',
  '.env.development',
  '.env.development.local',
  '.env.production',
  '.env.production.local',
  '.env.staging',
  '.env.staging.local',
  '.env.test',
  '.env.test.local',
  '.envrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.netrc',
  '_netrc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.git-credentials',
  '.dockercfg',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
])
const ENDINGS = new Set(['.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.ppk', '.kdbx'])
const PATHS = ['.aws/credentials', '.docker/config.json', '.kube/config', '.ssh/config']
const NAMES_OF_PATHS = new Set(PATHS.map(path => splitPath(path)[1]))

/** How a person allows it to be read. */
export function howToAllow(path: string): string {
  return `a person can allow it with: filewright rules add --effect allow --path ${toShellWord(path)}`
}

export function isPrivateFile(docPath: DocPath): boolean {
  const [, name] = splitPath(docPath)
  if (NAMES.has(name) || ENDINGS.has(name.slice(name.lastIndexOf('.')))) return true
  if (!NAMES_OF_PATHS.has(name)) return false
  return PATHS.some(path => docPath === path || docPath.endsWith(`/${path}`))
}
