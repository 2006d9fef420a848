import { isStartedByNpm } from '../common/read-options.ts';
import { runProgram } from '../common/run-program.ts';
import { runProxy } from './run-proxy.ts';

await runProgram('animal-store-proxy', () => runProxy(process.argv.slice(2)), isStartedByNpm());
