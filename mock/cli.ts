import { isStartedByNpm } from '../common/environment.ts';
import { runProgram } from '../common/run-program.ts';
import { runMock } from './run-mock.ts';

await runProgram('animal-store-mock', () => runMock(process.argv.slice(2)), isStartedByNpm());
