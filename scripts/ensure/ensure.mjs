import { ensureBrowser } from './browser.mjs'
import {
  compile,
  installPackages,
  makeAcpSdk,
  makeCommand,
  makeEvaluator,
  makeMcpSdk,
  makePage,
} from './build.mjs'
import { StepFailure } from './command.mjs'
import { endWithNpm } from './end-with-npm.mjs'
import { withLock } from './lock.mjs'

const build = [
  ['Installing packages', installPackages],
  ['Compiling', compile],
  ['Bundling the formulas', makeEvaluator],
  ['Bundling the library for MCP', makeMcpSdk],
  ['Bundling the library for ACP', makeAcpSdk],
  ['Building the page', makePage],
  ['Bundling the command', makeCommand],
]
const browser = [['Finding a browser for the tests', ensureBrowser]]
const goals = {
  build,
  start: build,
  browser,
  test: [...build, ...browser],
}

/** Runs the steps that a goal needs, one line of progress for each that has something to do. */
export async function ensure(goal) {
  const steps = goals[goal]
  if (!steps) end(`Unknown goal "${goal}": the goals are ${Object.keys(goals).join(', ')}.`)
  endWithNpm()
  try {
    await withLock('ensure', () => runSteps(steps))
  } catch (failure) {
    if (!(failure instanceof StepFailure)) throw failure
    end(failure.message)
  }
}

async function runSteps(steps) {
  for (const [title, step] of steps) {
    const work = await step()
    if (!work) continue
    const started = performance.now()
    process.stderr.write(`${title} … `)
    const remark = await work().catch(failure => {
      process.stderr.write('failed\n')
      throw failure
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stderr.write(`${seconds} s${remark ? ` (${remark})` : ''}\n`)
  }
}

function end(sentence) {
  console.error(sentence)
  process.exit(1)
}
