/** For tests: `off` runs every write as on a disk that cannot exchange two files. */
export const MAY_EXCHANGE = process.env.FILEWRIGHT_EXCHANGE !== 'off'
