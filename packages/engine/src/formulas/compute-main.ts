import { workerData } from 'node:worker_threads'
import type { Evaluated, Evaluation } from '@filewright/documents'
import { compute } from './compute.ts'
import type { EvaluatorThread } from './evaluator.ts'

const { port, signal } = workerData as EvaluatorThread
console.error = () => {} // the library reports functions that it does not know

port.on('message', (evaluation: Evaluation) => {
  port.postMessage(answer(evaluation))
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})

function answer(evaluation: Evaluation): Evaluated {
  try {
    return compute(evaluation)
  } catch {
    return { problem: 'fault' }
  }
}
