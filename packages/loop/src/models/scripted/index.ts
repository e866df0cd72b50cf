import { fail, lookUp, ok } from '@filewright/protocol'
import type { Provider } from '../../port/provider.ts'

const scripted: Provider<never, never> = {
  id: 'scripted',
  title: 'Script',
  needs: {},
  takes: {},
  demonstration: { id: 'demo', shownAs: 'a demonstration, not a model' },
  async model(id) {
    const { scripts } = await import('./scripts.ts')
    const script = lookUp(scripts, id)
    if (!script)
      return fail(
        'NOT_FOUND',
        `There is no script "${id}". The scripts are ${Object.keys(scripts).join(', ')}.`,
      )
    const { createScripted } = await import('./model.ts')
    return ok(createScripted({ name: `scripted/${id}`, ...script }))
  },
}

export default scripted
