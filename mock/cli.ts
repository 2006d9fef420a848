import { commandName } from '../common/cli/command-name.ts';
import { runTask } from '../common/cli/run-task.ts';
import { runMock } from './run-mock.ts';

await runTask(commandName('mock'), runMock);
