import { describeStartFailure } from './describe-start-failure.ts';
import { onParentGone } from './on-parent-gone.ts';
import { isStartedByNpm } from './options.ts';

/** How long the end waits for a reader of the log, in milliseconds. */
const PATIENCE = 500;

// A program goes on without a reader of what it prints.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  const [command, ...rest] = process.argv.slice(2);
  const running = await (command === 'proxy' ? runProxy(rest) : runMock(process.argv.slice(2)));
  const stop = async () => {
    const exitCode = await running.close();
    process.exitCode = exitCode;
    // By itself the process ends only when the last line of the log has been read.
    setTimeout(() => process.exit(exitCode), PATIENCE).unref();
  };
  // A second signal says nothing new: npm passes on what the terminal has already sent to every process.
  let isStopping = false;
  const stopOnce = () => {
    if (!isStopping) stop();
    isStopping = true;
  };
  process.on('SIGINT', stopOnce).on('SIGTERM', stopOnce);
  if (isStartedByNpm()) onParentGone(stopOnce);
  process.stdout.write(running.announcement);
} catch (error) {
  const { message, exitCode } = describeStartFailure(error);
  if (message !== undefined) process.stderr.write(`animal-store-mock: ${message}\n`);
  process.exitCode = exitCode;
}

/** Neither waits for what the other needs to load. */
async function runMock(argv: readonly string[]) {
  const mock = await import('./run-mock.ts');
  return mock.runMock(argv);
}

async function runProxy(argv: readonly string[]) {
  const proxy = await import('./run-proxy.ts');
  return proxy.runProxy(argv);
}
