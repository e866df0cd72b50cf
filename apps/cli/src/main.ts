// Nothing is imported here but what runs: the engine's child and its thread start from this same file.
if (process.argv[2] === '__engine') await (await import('./engine.ts')).runEngine()
else await (await import('./program.ts')).runProgram()
