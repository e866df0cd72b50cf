import { fail, type Scalar, toNumber, toTruth } from './values.ts'

const STEPS = 400

/** The part of the normal distribution above a number that is not negative. */
function upperPart(z: number): number {
  if (z > 38.5) return 0
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 3) {
    // a series; half of all minus what is between
    let [term, total] = [z, z]
    for (let own = 1; own < STEPS && Math.abs(term) > 1e-18 * Math.abs(total); own++) {
      term *= (z * z) / (2 * own + 1)
      total += term
    }
    return 0.5 - density * total
  }
  let fraction = 0
  for (let own = STEPS; own >= 1; own--) fraction = own / (z + fraction)
  return density / (z + fraction)
}

const partBelow = (z: number) => (z < 0 ? upperPart(-z) : 1 - upperPart(z))
const densityAt = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

/** By halves: as near as numbers are. */
function numberAt(part: number): number {
  if (part <= 0 || part >= 1) return fail('#NUM!')
  if (part === 0.5) return 0
  const upper = Math.min(part, 1 - part)
  let [low, high] = [0, 38.5]
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (upperPart(middle) > upper) low = middle
    else high = middle
  }
  return part < 0.5 ? -low : low
}

type Given = readonly (Scalar | undefined)[]

function distribution(...[x, mean, deviation, isCumulative]: Given): number {
  const [value, middle, width] = [toNumber(x), toNumber(mean), toNumber(deviation)]
  const isSum = toTruth(isCumulative)
  if (width <= 0) return fail('#NUM!')
  const z = (value - middle) / width
  return isSum ? partBelow(z) : densityAt(z) / width
}

function inverse(...[part, mean, deviation]: Given): number {
  const [chance, middle, width] = [toNumber(part), toNumber(mean), toNumber(deviation)]
  if (width <= 0) return fail('#NUM!')
  return middle + width * numberAt(chance)
}

export const NORMAL: Readonly<Record<string, (...given: Given) => Scalar>> = {
  'NORM.DIST': distribution,
  NORMDIST: distribution,
  'NORM.S.DIST': (z, isCumulative) => {
    const value = toNumber(z)
    return toTruth(isCumulative) ? partBelow(value) : densityAt(value)
  },
  NORMSDIST: z => partBelow(toNumber(z)),
  'NORM.INV': inverse,
  NORMINV: inverse,
  'LOGNORM.INV': (...given) => Math.exp(inverse(...given)),
  LOGINV: (...given) => Math.exp(inverse(...given)),
  'NORM.S.INV': part => numberAt(toNumber(part)),
  NORMSINV: part => numberAt(toNumber(part)),
}
