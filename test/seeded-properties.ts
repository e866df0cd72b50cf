import fc from 'fast-check'

// The same examples on every machine and every day: a property that fails once in ten thousand must not stop someone
// who changed something else. The full tests draw new ones each time, and a failure there reports its seed.
if (process.env.FILEWRIGHT_FULL !== '1') fc.configureGlobal({ seed: 20_261_115 })

export * from 'fast-check'
export default fc
