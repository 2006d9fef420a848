import { runTask } from '../common/cli/run-task.ts';
import { runMock } from './run-mock.ts';

await runTask('animal-store-mock', runMock);
