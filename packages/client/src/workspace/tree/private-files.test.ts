import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { isPrivateFile } from './private-files.ts'

test.each([
  ...['.env', '.env.local', '.env.production.local', '.env.bak', '.env.old', '.env~', '.env.save'],
  ...[
    '.env_prod',
    '.env-staging',
    'prod.env',
    'config/local.env',
    'prod.env.bak',
    '#.env#',
    '..env.swp',
  ],
  ...[
    '.envrc',
    '.envrc.local',
    'aws_credentials',
    '.vault-password',
    'my-private.asc',
    '.github_token',
    '.config/hub',
    '.subversion/auth/a',
    '.bash_history',
    'keyfile.json',
    'rclone.conf',
    'oauth_token.json',
    'site.publishsettings',
    'env.local',
    '.flaskenv',
    '.dev.vars',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.netrc',
    '_netrc',
    '.pgpass',
  ],
  ...[
    'id_rsa',
    'id_rsa.bak',
    'id_rsa_work',
    'id_ed25519',
    'id_ed25519.old',
    'id_ecdsa_sk',
    'github_rsa',
  ],
  ...['.ssh/config', '.ssh/anything', 'home/.ssh/deploy', 'ssh_host_ed25519_key', 'deploy_key'],
  ...[
    'server.pem',
    'server.key',
    'server.key.bak',
    'cert.p12',
    'cert.pfx',
    'authkey.p8',
    'app.keystore',
    'app.jks',
  ],
  ...['vault.kdbx', 'putty.ppk', 'office.ovpn', 'http.keytab', 'wg0.conf'],
  ...[
    'credentials',
    'credentials.json',
    'credentials.bak.json',
    'credentials (1).json',
    'db_credentials.yml',
  ],
  ...[
    'aws-credentials.csv',
    'credentials.prod.json',
    '.claude/.credentials.json',
    'user_accesskeys.csv',
    'rootkey.csv',
  ],
  ...[
    'service-account.json',
    'service_account.json',
    'serviceaccountkey.json',
    'my-service-account-prod.json',
  ],
  ...[
    'app-firebase-adminsdk-x1.json',
    'client_secret.json',
    'client_secret_12.apps.json',
    'gcp-key.json',
    'token.json',
  ],
  ...[
    'application_default_credentials.json',
    'kubeconfig',
    'kubeconfig.yaml',
    'prod.kubeconfig',
    '.kube/config',
  ],
  ...[
    '.vault-token',
    '.vault_pass',
    'vault_pass.txt',
    'secrets.yml',
    'secrets.yaml',
    'secrets.json',
    'secret.toml',
    'db-secret.yaml',
  ],
  ...[
    '.streamlit/secrets.toml',
    'secrets.production.yml',
    '.secrets',
    'passwords.txt',
    'passwords.xlsx',
    'api_key.txt',
  ],
  ...[
    '.aws/credentials',
    '.aws/config',
    '.azure/accesstokens.json',
    '.config/gcloud/access_tokens.db',
    '.oci/config',
  ],
  ...[
    '.gnupg/secring.gpg',
    '.gnupg/private-keys-v1.d/a.key',
    'secring.gpg',
    '.password-store/mail.gpg',
  ],
  ...[
    '.docker/config.json',
    '.m2/settings.xml',
    '.gradle/gradle.properties',
    '.cargo/credentials.toml',
    'auth.json',
  ],
  ...[
    'terraform.tfstate',
    'terraform.tfstate.backup',
    'prod.tfvars',
    '.terraformrc',
    '.htpasswd',
    '.git-credentials',
  ],
  ...[
    '.my.cnf',
    '.s3cfg',
    '.boto',
    'key.properties',
    'local.settings.json',
    'wp-config.php',
    'logins.json',
    'key4.db',
  ],
])('%s is a key file', name => {
  expect(isPrivateFile(name as DocPath)).toBe(true)
})

test.each([
  ...[
    'environment.env.md',
    'token.ts',
    'history.md',
    'credentials/readme.txt',
    'vault-pass-through.ts',
    'release.asc',
    'keyboard.txt',
    '.env.example',
    '.env.sample',
    'example.env',
    '.env.local.template',
  ],
  ...[
    'id_rsa.pub',
    '.ssh/id_rsa.pub',
    'github_rsa.pub',
    'keys.ts',
    'secrets.ts',
    'secrets.md',
    'credentials.md',
  ],
  ...[
    'src/credentials.test.ts',
    'passwords.py',
    'secret.txt',
    'the secret.docx',
    'password-policy.txt',
    'tokens.json',
    'tokens.css',
    'tokenizer.json',
  ],
  ...[
    'environment.yml',
    'env.ts',
    'env.d.ts',
    '.envision.md',
    'monkey.txt',
    'package.json',
    'settings.json',
  ],
  ...[
    'config.json',
    'docker/config.json',
    'kube/config',
    'kubernetes.yaml',
    'services.json',
    'google-services.json',
  ],
  ...[
    'secrets-manager.json',
    'credentials.template.json',
    'terraform.tf',
    'main.tf',
    'report (1).xlsx',
    'a.bak',
    '~',
  ],
  ...[
    'author.json',
    '.eslintrc',
    '.prettierrc',
    '.gitignore',
    'cert.crt',
    'server.cer',
    'backup.2024',
    'notes.old',
  ],
])('%s is none', name => {
  expect(isPrivateFile(name as DocPath)).toBe(false)
})

test('no look at a name takes long, whatever the name', () => {
  for (const part of ['.env', '-copy', ' (1)', '.bak', '_key', 'secret', '.', '-'])
    expect(timeOf(`${part.repeat(60)}x`)).toBeLessThan(50)
})

function timeOf(name: string): number {
  const start = performance.now()
  isPrivateFile(name as DocPath)
  return performance.now() - start
}
