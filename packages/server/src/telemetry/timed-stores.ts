import type { Stores } from '../stores/stores.ts'
import type { Registry } from './registry.ts'

const PORTS: readonly (keyof Stores)[] = [
  'blobs',
  'sources',
  'log',
  'patches',
  'settings',
  'searchIndex',
  'access',
  'decisions',
  'homes',
  'hosted',
]

/** The same stores; what each of their methods takes is counted. */
export function timedStores(stores: Stores, registry: Registry): Stores {
  const timed = PORTS.flatMap(name => {
    const port = stores[name]
    return port ? [[name, timedPort(name, port, registry)] as const] : []
  })
  return { ...stores, ...Object.fromEntries(timed) }
}

type Method = (...args: unknown[]) => unknown

/** Methods that answer at once are not timed. */
function timedPort<Port extends object>(store: string, port: Port, registry: Registry): Port {
  const wrapped = new Map<string | symbol, Method>()

  function wrap(method: string, call: Method): Method {
    return (...args) => {
      const since = performance.now()
      const note = (outcome: 'ok' | 'failed') => {
        const seconds = (performance.now() - since) / 1000
        registry.observe('store_duration', { store, method, outcome }, seconds)
      }
      const answer = call.apply(port, args)
      if (answer instanceof Promise)
        answer.then(
          () => note('ok'),
          () => note('failed'),
        )
      return answer
    }
  }

  return new Proxy(port, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function' || typeof key === 'symbol') return value
      const known = wrapped.get(key) ?? wrap(key, value as Method)
      wrapped.set(key, known)
      return known
    },
  })
}
