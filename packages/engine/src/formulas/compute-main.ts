import { workerData } from 'node:worker_threads'
import type { Evaluated } from '@filewright/documents'
import { compute } from './compute.ts'
import type { EvaluationAsked, EvaluatorThread } from './evaluator.ts'

const { port, signal } = workerData as EvaluatorThread
console.error = () => {} // the library reports functions that it does not know

port.on('message', (asked: EvaluationAsked) => {
  port.postMessage(answer(asked))
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})

function answer({ evaluation, late }: EvaluationAsked): Evaluated {
  try {
    return compute(evaluation, late, at => Atomics.store(signal, 1, at + 1))
  } catch {
    return { problem: 'fault' }
  }
}
