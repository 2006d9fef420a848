import { setFlagsFromString } from 'node:v8';
import { commandName } from '../common/cli/command-name.ts';
import { runTask } from '../common/cli/run-task.ts';
import { runMock } from './run-mock.ts';

// V8 lets its space for new objects grow to 64 MB, and that of the proxy's thread to 32 MB, because requests stay in the journal for a
// while. The mock is no faster for that.
setFlagsFromString('--semi-space-growth-factor=1');

await runTask(commandName('mock'), runMock);
