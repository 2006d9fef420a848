import { commandName } from '../common/cli/command-name.ts';
import { runTask } from '../common/cli/run-task.ts';
import { runProxy } from './run-proxy.ts';

await runTask(commandName('proxy'), runProxy);
