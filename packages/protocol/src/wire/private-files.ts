import type { DocPath } from '../words/doc-path.ts'
import { fail, type Result } from '../words/result.ts'
import { toShellWord } from '../words/shell-word.ts'

/**
 * CONTRACT §2: key files, by exact names and endings, as people have them. They are listed; a person allows reading and
 * writing them.
 */
export function isPrivateFile(docPath: DocPath): boolean {
  const name = docPath.slice(docPath.lastIndexOf('/') + 1)
  if (isInPrivatePlace(docPath, name)) return !name.endsWith('.pub')
  if (name[0] !== '.' && CODE.has(name.slice(name.lastIndexOf('.')))) return false
  return MAY_BE_PRIVATE.test(name) && !isSample(name) && isPrivateName(withoutCopyMark(name))
}

export function refusePrivate(path: string, docPath: DocPath): Result<never, 'PRIVATE_FILE'> {
  return fail(
    'PRIVATE_FILE',
    `Cannot read "${path}": it may hold keys or passwords. It is listed only; ${howToAllow('read', path)}`,
    { details: { docPath } },
  )
}

/** How a person allows a key file to be read or written. */
export function howToAllow(what: 'read' | 'write', path: string): string {
  return `a person can allow it with: filewright rules add --effect ${what} --path ${toShellWord(path)}`
}

const NAMES = toSet(`
  .env .envrc .flaskenv .renviron .dev.vars
  .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .authinfo .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .htdigest
  .git-credentials .dockercfg .dockerconfigjson .s3cfg .boto .databrickscfg .terraformrc terraform.rc .vault-token
  .sentryclirc .arcrc .wgetrc .curlrc .muttrc .clasprc.json .msmtprc
  .fetchmailrc .offlineimaprc .mbsyncrc .smbcredentials .secret .secrets .token .tokens .passwd .password .passwords secrets
  kubeconfig secring.gpg private.asc secret.asc private_key private-key privatekey deploy_key deploy-key auth.json
  kaggle.json key.json token.json token.txt token.pickle oauth.json rclone.conf wpa_supplicant.conf htpasswd local.settings.json key.properties keystore.properties wp-config.php rootkey.csv
  wallet.dat logins.json key3.db key4.db cookies.sqlite cookies.txt sitemanager.xml winscp.ini
  .bash_history .zsh_history .sh_history .psql_history .mysql_history
`)

const ENDINGS = toSet(`
  .env .pem .key .p8 .p12 .pfx .pkcs8 .pkcs12 .pk8 .jks .jceks .bks .keystore .keytab .ppk .kdb .kdbx .ovpn .snk .agekey
  .kubeconfig .keychain .keychain-db .secrets .tfvars .tfstate .publishsettings .nmconnection
`)

/** Code, prose and pictures, whatever they are called: most files of most trees. */
const CODE = toSet(`
  .ts .tsx .js .jsx .mjs .cjs .cs .py .rb .go .rs .java .kt .swift .c .h .cc .cpp .hpp .css .scss .html .vue .md .map .svg .png
`)

/** Files that hold values; `secrets.ts` is code and `credentials.md` prose. */
const DATA = 'json5?|ya?ml|toml|ini|cfg|conf|properties|plist|xml|txt|csv|tsv|db|sqlite'
const OFFICE = 'xlsx|ods|docx'
const STAGE =
  'prod|production|dev|development|stage|staging|test|local|live|root|admin|bak|old|backup'
/** Several of them: a document whose name ends in one word of these may be about it, as `how-to-reset-a-password.docx` is. */
const MANY = 'credentials|secrets|passwords|(?:api|access|private|secret)[_-]?keys'
const VALUES =
  'credentials?|secrets|passwords?|passwd|passphrase|vault[_-]?pass|(?:api|access|private|secret)[_-]?keys?|(?:access|auth|oauth|refresh|api)[_-]?token|keyfile'

/** Names of which a person chose a part: `.env.prod`, `id_ed25519_work`, `db_credentials.yml`, `user_accessKeys.csv`. */
const SHAPES = [
  /^\.env(?:rc)?[._-]/,
  new RegExp(`^env\\.(?:${STAGE})$`),
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:[._-].*)?$/,
  /_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^ssh_host_\w+_key$/,
  /^kubeconfig[._-]/,
  /(?:^|[._-])credentials$/,
  /^\.?vault[_-]pass(?:word|wd)?$/,
  /(?:private|secret)[\w.-]*\.(?:asc|gpg|pgp)$/,
  /(?:^|[._-])(?:github|gitlab|gh|npm|slack|pypi|api|auth|access)[_-]?token$/,
  /^wg\d+\.conf$/,
  /^client_secret.*\.json$/,
  /(?:^|[._-])secret\.(?:json5?|ya?ml|toml|ini|properties)$/,
  /(?:^|[._-])(?:firebase-adminsdk|service[_-]?account)(?:[._-].*|key)?\.json$/,
  /(?:^|[._-])(?:g?cloud|gcp|google)[_-]?keys?\.json$/,
  new RegExp(`(?:^|[._-])(?:${VALUES})(?:[._-](?:${STAGE}))?\\.(?:${DATA})$`),
  new RegExp(`^(?:${VALUES})(?:[._-](?:${STAGE}))?\\.(?:${OFFICE})$`),
  new RegExp(`(?:^|[ ._-])(?:${MANY})(?:[._-](?:${STAGE}))?\\.(?:${OFFICE})$`),
]

function isPrivateName(name: string): boolean {
  if (NAMES.has(name) || ENDINGS.has(name.slice(name.lastIndexOf('.')))) return true
  return SHAPES.some(shape => shape.test(name))
}

/** Folders in which tools keep keys, and little else. */
const FOLDERS =
  /(?:^|\/)(?:\.(?:ssh|gnupg|aws|azure|kube|oci|aliyun|password-store)|\.config\/(?:gcloud|sops|op|doctl|rclone|gh|glab-cli|filezilla)|\.subversion\/auth)\//

const PATHS = [
  '.docker/config.json',
  '.config/hub',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.terraform.d/credentials.tfrc.json',
  '.dbt/profiles.yml',
  '.snowsql/config',
  '.huggingface/token',
  '.cache/huggingface/token',
]
const NAMES_OF_PATHS = new Set(PATHS.map(path => path.slice(path.lastIndexOf('/') + 1)))

function isInPrivatePlace(docPath: DocPath, name: string): boolean {
  if (docPath[0] !== '.' && !docPath.includes('/.')) return false // every such place is below a hidden folder
  if (FOLDERS.test(docPath)) return true
  if (!NAMES_OF_PATHS.has(name)) return false
  return PATHS.some(path => docPath === path || docPath.endsWith(`/${path}`))
}

/** Part of every name above: nearly every other name is done with this one look, which a listing takes for each file. */
const MAY_BE_PRIVATE =
  /env|key|secret|credential|pass|token|auth|rsa|dsa|ed25519|xmss|rc(?:$|[.~_-])|rc\.yml|\.(?:p8|p12|pem|pfx|pkcs|pk8|jks|jceks|bks|ppk|kdb|ovpn|snk|tf|my\.|mylogin|ht|docker|s3cfg|boto|databricks|clasp|dev\.|publishsettings|nmconnection)|kube|private|kaggle|settings|wp-config|wallet|logins|cookies|sitemanager|winscp|secring|wg\d|service|firebase|cloud|gcp|google|history|rclone|wpa_|terraform\.rc/

/** Made to be shared, without values. */
function isSample(name: string): boolean {
  return /\.pub$|(?:^|[._-])(?:example|sample|template|tmpl|tpl|dist)(?:[._-]|$)/.test(name)
}

const COPY_MARK =
  /(?:~|[._-](?:bak|bkp|backup|old|orig|save|saved|tmp|swp|swo|prev|disabled|rej|\d{1,14})|[. _-]+copy(?: ?\d+)?| ?\(\d+\))$/
const COPY_MARK_INSIDE = /(?:(?: -)? copy(?: ?\d+)?| ?\(\d+\))(?=\.\w+$)/

/** The name whose copy this is, or what an editor left of it: `.env.bak`, `id_rsa~`, `credentials (1).json`. */
function withoutCopyMark(name: string): string {
  let left = name.replace(COPY_MARK_INSIDE, '')
  for (let mark = COPY_MARK.exec(left); mark && mark.index > 0; mark = COPY_MARK.exec(left))
    left = left.slice(0, mark.index)
  return left.replace(/^(?:\.?#|\.(?=\.))/, '').replace(/#$/, '')
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
