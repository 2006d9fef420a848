import { runTask } from '../common/cli/run-task.ts';
import { runProxy } from './run-proxy.ts';

await runTask('animal-store-proxy', runProxy);
