import fc from 'fast-check'

// The same examples on every machine and every day: a property that fails once in ten thousand must not stop whoever
// changed something else. The full tests draw anew each time, and a failure there tells its seed.
if (process.env.FILEWRIGHT_FULL !== '1') fc.configureGlobal({ seed: 20_261_115 })

export * from 'fast-check'
export default fc
