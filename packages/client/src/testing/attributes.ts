import koffi from 'koffi'

/** Extended attributes of a file on Linux; an access list is one of them. */
export function setAttribute(path: string, name: string, value: Uint8Array): boolean {
  const set = 'int lsetxattr(const char *, const char *, const uint8_t *, size_t, int)'
  return koffi.load(null).func(set)(path, name, value, value.length, 0) === 0
}

export function getAttribute(path: string, name: string): Buffer | null {
  const get = 'intptr_t lgetxattr(const char *, const char *, _Out_ uint8_t *, size_t)'
  const room = Buffer.alloc(1024)
  const length = koffi.load(null).func(get)(path, name, room, room.length)
  return length < 0 ? null : room.subarray(0, length)
}

/** As the kernel keeps it: the owner may do `owner`, another user `user`, everybody else nothing. */
export function accessList({ owner, user }: { owner: number; user: number }): Buffer {
  const entries = [
    [0x01, owner, -1], // the owner
    [0x02, user, 1234], // another user
    [0x04, 0, -1], // the group
    [0x10, user, -1], // the mask
    [0x20, 0, -1], // others
  ] as const
  const list = Buffer.alloc(4 + 8 * entries.length)
  list.writeUInt32LE(2, 0) // the version of the format
  for (const [n, [tag, allowed, id]] of entries.entries()) {
    list.writeUInt16LE(tag, 4 + 8 * n)
    list.writeUInt16LE(allowed, 6 + 8 * n)
    list.writeInt32LE(id, 8 + 8 * n)
  }
  return list
}
