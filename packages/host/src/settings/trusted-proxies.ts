import { BlockList, isIP } from 'node:net'
import { EXIT_CODES } from '@filewright/protocol'
import { Exit } from '../exit/exit.ts'

/** Whether a request comes from a proxy that is believed when it says which host was asked. */
export type TrustsPeer = (address: string | undefined) => boolean

/** `10.0.0.0/8, 192.168.1.4`; nothing: nobody is believed. */
export function parseProxies(text: string | undefined): TrustsPeer {
  const list = new BlockList()
  for (const each of (text ?? '').split(/[\s,]+/).filter(Boolean)) add(list, each)
  return address => {
    const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits, ...more] = entry.split('/')
  const family = isIP(address)
  const most = family === 6 ? 128 : 32
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  if (family === 0 || more.length > 0 || !isRange)
    throw new Exit(
      EXIT_CODES.invalid,
      `FILEWRIGHT_TRUSTED_PROXIES has "${entry}", which is no address or range, such as 10.0.0.7 or 10.0.0.0/8`,
    )
  list.addSubnet(address, bits === undefined ? most : Number(bits), family === 6 ? 'ipv6' : 'ipv4')
}
