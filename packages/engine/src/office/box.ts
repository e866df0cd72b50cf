import { profileXml } from './profile.ts'

/** Written to stderr once the box is closed: whatever fails before it, the program was not started. */
export const BOXED = 'filewright: boxed'
/** Written when the program ended without a page. */
export const UNDRAWN = 'filewright: no pages'

export interface BoxOptions {
  /** The program: `soffice`. */
  readonly program: string
  /** Its folders, beside those of the system. */
  readonly folders: readonly string[]
  /** The ending of the document, with its dot: LibreOffice goes by it. */
  readonly ending: string
  readonly memoryBytes: number
  /** Of all files in the box. */
  readonly diskBytes: number
  readonly timeoutMs: number
}

/**
 * A command that takes a document on stdin and gives its pages on stdout. It runs in namespaces of its own: no network,
 * not even a loopback that is up; no process of anybody else; and a root that has the system's programs and fonts, and
 * nothing of the person's. Its disk, with profile, document and pages, is memory of the box and gone with it. Every step
 * must succeed before the program is started, without any privilege left. Whoever starts it may die: so does the box.
 */
export function boxCommand(options: BoxOptions): readonly string[] {
  const { program, folders, ending, memoryBytes, diskBytes, timeoutMs } = options
  const kilobytes = (bytes: number) => String(Math.round(bytes / 1024))
  return [
    ...['setpriv', '--pdeathsig', 'KILL'],
    ...['unshare', '--user', '--map-root-user', '--net', '--mount', '--pid', '--ipc', '--uts'],
    ...['--fork', '--kill-child', '--propagation', 'private'],
    ...['sh', '-c', SCRIPT, 'sh', program, `document${ending}`],
    ...[kilobytes(memoryBytes), `${kilobytes(diskBytes)}k`, String(Math.ceil(timeoutMs / 1000))],
    ...[profileXml(), ...folders],
  ]
}

/** Whether a box can be closed here: one with nothing to do. */
export function probeCommand(options: Omit<BoxOptions, 'ending' | 'program'>): readonly string[] {
  return boxCommand({ ...options, program: '/bin/true', ending: '' })
}

const SYSTEM = 'usr bin sbin lib lib32 lib64 libx32 etc/fonts etc/libreoffice etc/alternatives'

const SCRIPT = `set -eu
program=$1 document=$2 memory=$3 disk=$4 seconds=$5 profile=$6
shift 6
mount -t tmpfs -o "size=$disk,nr_inodes=20k,mode=0755,nosuid,nodev" tmpfs /tmp
cd /tmp
for folder in ${SYSTEM} var/cache/fontconfig "$@"; do
  folder=\${folder#/}
  if [ -h "/$folder" ]; then
    ln -s "$(readlink "/$folder")" "$folder"
  elif [ -d "/$folder" ] && ! [ -e "$folder" ]; then
    mkdir -p "$folder"
    mount --rbind "/$folder" "$folder"
    mount -o remount,bind,ro "$folder" 2>/dev/null || true
  fi
done
for file in etc/ld.so.cache etc/localtime dev/null dev/zero dev/random dev/urandom; do
  [ -e "/$file" ] || continue
  mkdir -p "\${file%/*}"
  : > "$file"
  mount --bind "/$file" "$file"
done
mkdir -p proc tmp/profile/user tmp/in tmp/out
mount -t proc proc proc 2>/dev/null || true
printf %s "$profile" > tmp/profile/user/registrymodifications.xcu
cat > "tmp/in/$document"
ulimit -c 0
ulimit -d "$memory"
ulimit -t "$seconds"
exec chroot . setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all sh -c '
cd /tmp
echo "${BOXED}" >&2
"$1" -env:UserInstallation=file:///tmp/profile --headless --norestore --nolockcheck --nodefault --nofirststartwizard \\
  --convert-to pdf --outdir /tmp/out "/tmp/in/$2" </dev/null >/tmp/log 2>&1 || true
if [ -s /tmp/out/document.pdf ]; then cat /tmp/out/document.pdf; else tail -c 2000 /tmp/log >&2; echo "${UNDRAWN}" >&2; fi
' sh "$program" "$document"
`
